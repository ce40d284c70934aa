import { describe, expect, it } from 'vitest';
import type { Worker } from '../../api/views';
import { declarationOf, fieldsOf } from './declaration';

const WORKER: Worker = {
  slot: 'decode-3',
  role: 'decode',
  url: 'http://10.0.7.3:8000',
  weight: 2.5,
  maxInFlight: 64,
  probe: 'none',
  revision: '9c1d',
  source: 'registered',
  desiredState: 'serving',
};

describe('the declaration of a worker', () => {
  it('is all that the worker has while the form says the same', () => {
    expect(declarationOf(fieldsOf(WORKER))).toEqual({ role: 'decode', url: 'http://10.0.7.3:8000', weight: 2.5, maxInFlight: 64, probe: 'none', revision: '9c1d' });
  });

  it('keeps probe, revision and limit when another field changes', () => {
    expect(declarationOf({ ...fieldsOf(WORKER), weight: '3' })).toMatchObject({ weight: 3, maxInFlight: 64, probe: 'none', revision: '9c1d' });
  });

  it('leaves out what was emptied', () => {
    expect(declarationOf({ ...fieldsOf(WORKER), maxInFlight: '', revision: ' ' })).toEqual({ role: 'decode', url: 'http://10.0.7.3:8000', weight: 2.5, probe: 'none' });
  });

  it('begins as a decoder that is probed', () => {
    expect(declarationOf({ ...fieldsOf(undefined), url: ' http://10.0.7.9:8000 ' })).toEqual({ role: 'decode', url: 'http://10.0.7.9:8000', weight: 1, probe: 'http' });
  });
});
