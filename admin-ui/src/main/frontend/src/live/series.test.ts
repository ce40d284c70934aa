import { describe, expect, it } from 'vitest';
import { joined, recentMean, Series, thinned } from './series';

function series(...readings: readonly [second: number, p50: number | undefined][]): Series {
  const made = new Series(5);
  readings.forEach(([second, tpotP50Ms]) => made.add(second, { tpotP50Ms }));
  return made;
}

describe('a series', () => {
  it('keeps the newest of what fits', () => {
    const made = series(...Array.from({ length: 8 }, (_, i): [number, number] => [i, i]));
    expect(made.at).toEqual([3, 4, 5, 6, 7]);
    expect(made.track('tpotP50Ms')).toEqual([3, 4, 5, 6, 7]);
    expect(made.track('spillRate')).toEqual([null, null, null, null, null]);
  });

  it('leaves out what is not newer', () => {
    expect(series([5, 1], [5, 2], [4, 3], [6, 4]).track('tpotP50Ms')).toEqual([1, 4]);
  });

  it('is averaged over its last seconds, without what is not known', () => {
    const made = series([1, 100], [10, 4], [11, undefined], [12, 6]);
    expect(recentMean(made, 'tpotP50Ms', 3)).toBe(5);
    expect(recentMean(made, 'tpotP99Ms', 3)).toBeUndefined();
    expect(recentMean(new Series(), 'tpotP50Ms', 3)).toBeUndefined();
  });

  it('is joined with another on one axis of time', () => {
    expect(joined(series([1, 10], [2, 20], [4, 40]), series([2, 21], [3, 31]), 'tpotP50Ms')).toEqual({
      at: [1, 2, 3, 4],
      a: [10, 20, null, 40],
      b: [null, 21, 31, null],
    });
    expect(joined(new Series(), new Series(), 'tpotP50Ms').at).toEqual([]);
  });

  it('is thinned to the means of a few seconds, without what is not known', () => {
    expect(thinned([6, 7, 8, 9, 12], [[1, null, 3, 5, null]])).toEqual({ at: [6, 9, 12], tracks: [[2, 5, null]] });
    expect(thinned([], [[]])).toEqual({ at: [], tracks: [[]] });
  });
});
