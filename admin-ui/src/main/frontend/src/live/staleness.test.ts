import { describe, expect, it } from 'vitest';
import { freshness } from './staleness';

describe('freshness', () => {
  it.each([
    [undefined, 'waiting'],
    [0, 'live'],
    [3_500, 'live'],
    [3_501, 'late'],
    [10_000, 'late'],
    [10_001, 'stale'],
  ])('a state of %s ms is %s', (age, kind) => {
    const now = 1_000_000;
    expect(freshness(age === undefined ? undefined : now - age, now).kind).toBe(kind);
  });

  it('takes a clock that was set back for no age at all', () => {
    expect(freshness(2_000, 1_000)).toEqual({ kind: 'live', age: 0 });
  });
});
