import { expect, it } from 'vitest';
import { nearestPoint, projection } from './projection';

const points = [
  { x: -1, y: 0 },
  { x: 1, y: 0 },
  { x: 0, y: 0.5 },
];

it('keeps one scale on both axes and all points in the box', () => {
  const place = projection(points, 400, 300);
  const [[ax, ay], [bx], [cx, cy]] = [place({ x: -1, y: 0 }), place({ x: 1, y: 0 }), place({ x: 0, y: 0.5 })];
  expect((bx - ax) / 2).toBeCloseTo((ay - cy) / 0.5);
  expect([ax, bx, cx].every((x) => x >= 0 && x <= 400)).toBe(true);
  expect(cy).toBeLessThan(ay);
});

it('finds the point under the pointer, and none beyond reach', () => {
  const place = projection(points, 400, 300);
  const [x, y] = place({ x: 1, y: 0 });
  expect(nearestPoint(points, place, x + 3, y - 3, 10)).toBe(points[1]);
  expect(nearestPoint(points, place, x + 30, y, 10)).toBeUndefined();
});

it('does not divide by nothing', () => {
  expect(projection([], 100, 80)({ x: 5, y: 5 })).toEqual([50, 40]);
  expect(projection([{ x: 3, y: 3 }], 100, 80)({ x: 3, y: 3 })).toEqual([50, 40]);
});
