import { expect, it } from 'vitest';
import { nearestOther, spillOf } from './spill';

const matrix = [
  [80, 15, 5],
  [0, 10, 0],
  [0, 0, 0],
];

it('tells how much left a cluster and where it went, the most first', () => {
  expect(spillOf(matrix, 0)).toEqual({ requests: 100, rate: 0.2, to: [{ cluster: 1, share: 0.75 }, { cluster: 2, share: 0.25 }] });
  expect(spillOf(matrix, 1)).toEqual({ requests: 10, rate: 0, to: [] });
});

it('knows nothing where nothing was decided', () => {
  expect(spillOf(matrix, 2)).toBeUndefined();
  expect(spillOf([], 0)).toBeUndefined();
});

it('finds the nearest of the others', () => {
  expect(nearestOther([[0, 0.4, 0.2]], 0)).toEqual({ cluster: 2, distance: 0.2 });
  expect(nearestOther([[0]], 0)).toBeUndefined();
});
