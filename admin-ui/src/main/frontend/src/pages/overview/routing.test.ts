import { describe, expect, it } from 'vitest';
import type { Pool } from '../../api/views';
import { changeOf, fieldsOf } from './routing';

const POOL: Pool = { name: 'p', model: 'm', policy: 'eldr', tau: 'auto', mode: 'automatic', pinned: false, layers: 4, experts: 8, topK: 2 };

describe('what a form changes in a pool', () => {
  it('is nothing while the form says what the pool has', () => {
    const busy: Pool = {
      ...POOL,
      tau: 0.2,
      minCandidates: 2,
      shadow: { policy: 'jsq' },
      switchback: { policies: ['union', 'eldr'], minutes: 10 },
      hot: { factor: 2, minExcess: 8, kvCap: 0.9 },
    };
    expect(changeOf(POOL, fieldsOf(POOL))).toEqual({});
    expect(changeOf(busy, fieldsOf(busy))).toEqual({});
  });

  it('is only what differs, as numbers where they are some', () => {
    expect(changeOf(POOL, { ...fieldsOf(POOL), policy: 'union', tau: ' 0.25 ' })).toEqual({ policy: 'union', tau: 0.25 });
    expect(changeOf(POOL, { ...fieldsOf(POOL), shadow: 'eldr', shadowTau: '0.3' })).toEqual({ shadow: { policy: 'eldr', tau: 0.3 } });
    expect(changeOf(POOL, { ...fieldsOf(POOL), takesTurns: true })).toEqual({ switchback: { policies: ['eldr', 'jsq'], minutes: 30 } });
    expect(changeOf(POOL, { ...fieldsOf(POOL), sparesHot: true })).toEqual({ hot: { factor: 1.5, minExcess: 4, kvCap: 0.95 } });
  });

  it('takes away with null', () => {
    const busy: Pool = { ...POOL, minCandidates: 3, shadow: { policy: 'jsq', tau: 0.1 } };
    expect(changeOf(busy, { ...fieldsOf(busy), minCandidates: '', shadow: '' })).toEqual({ minCandidates: null, shadow: null });
  });

  it('leaves it to the service to refuse what is no number', () => {
    expect(changeOf(POOL, { ...fieldsOf(POOL), tau: 'wide' })).toEqual({ tau: 'wide' });
  });
});
