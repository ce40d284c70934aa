import { describe, expect, it } from 'vitest';
import type { DecoderState, PrefillerState } from '../../api/types';
import type { Worker } from '../../api/views';
import { merged, rowKey, sighting } from './worker-rows';

const PREFILLER: PrefillerState = { id: 'p-0', url: 'http://p', state: 'READY', readyOn: 2, inFlight: 1 };
const DECODER: DecoderState = { id: 'd-0', url: 'http://d', state: 'READY', readyOn: 2, borrowed: false, weight: 1, inFlight: 3, load: 3, share: 0.5 };

function declared(slot: string, role: string): Worker {
  return { slot, role, url: 'http://w', weight: 1, probe: 'http', source: 'registered', desiredState: 'serving' };
}

describe('the rows of workers', () => {
  it('join what is registered with what routers see, of both roles', () => {
    const rows = merged([declared('d-0', 'decode'), declared('p-0', 'prefill'), declared('p-1', 'prefill')], [DECODER], [PREFILLER]);
    expect(rows.map((row) => [rowKey(row), row.declared?.slot, row.seen?.inFlight])).toEqual([
      ['decode/d-0', 'd-0', 3],
      ['prefill/p-0', 'p-0', 1],
      ['prefill/p-1', 'p-1', undefined],
    ]);
  });

  it('end with those that routers alone know', () => {
    expect(merged([], [DECODER], [PREFILLER]).map((row) => [row.slot, row.role, row.declared])).toEqual([
      ['d-0', 'decode', undefined],
      ['p-0', 'prefill', undefined],
    ]);
  });

  it('tell a slot that changed its role from what it was', () => {
    const rows = merged([declared('d-0', 'prefill')], [{ ...DECODER, state: 'GONE' }], [{ ...PREFILLER, id: 'd-0' }]);
    expect(rows.map((row) => [rowKey(row), row.seen?.state])).toEqual([
      ['prefill/d-0', 'READY'],
      ['decode/d-0', 'GONE'],
    ]);
  });
});

describe('how routers see a worker', () => {
  it('is one state where they agree', () => {
    expect(sighting(PREFILLER)).toEqual({ tone: 'good', text: 'Ready' });
    expect(sighting({ ...PREFILLER, state: 'EJECTED' }).tone).toBe('bad');
    expect(sighting({ ...PREFILLER, state: 'DRAINING' }).text).toMatch(/^Draining/);
    expect(sighting({ ...PREFILLER, state: 'DRAINING', inFlight: 0 }).text).toMatch(/^Drained/);
  });

  it('names who sees what where they differ, the worst first', () => {
    const byRouter = { 'router-a': 'READY', 'router-b': 'EJECTED', 'router-c': 'READY' };
    expect(sighting({ ...PREFILLER, state: 'EJECTED', byRouter })).toEqual({
      tone: 'bad',
      text: 'Ejected on router-b, ready on 2 routers',
      detail: 'router-a: ready\nrouter-b: ejected\nrouter-c: ready',
    });
  });
});
