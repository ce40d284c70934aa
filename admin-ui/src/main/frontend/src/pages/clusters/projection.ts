export interface Placed {
  readonly x: number;
  readonly y: number;
}

export type Place = (point: Placed) => readonly [x: number, y: number];

const MARGIN = 26;

/** Fits points into a box with the same scale on both axes: distances on the screen then mean something. */
export function projection(points: readonly Placed[], width: number, height: number): Place {
  if (points.length === 0) {
    return () => [width / 2, height / 2];
  }
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    low = Math.min(low, y);
    high = Math.max(high, y);
  }
  const scale = Math.min((width - 2 * MARGIN) / Math.max(1e-9, right - left), (height - 2 * MARGIN) / Math.max(1e-9, high - low));
  const [cx, cy] = [(left + right) / 2, (low + high) / 2];
  return ({ x, y }) => [width / 2 + (x - cx) * scale, height / 2 - (y - cy) * scale];
}

/** The point nearest to a place on the screen, if one is within reach. */
export function nearestPoint<P extends Placed>(points: readonly P[], place: Place, x: number, y: number, reach: number): P | undefined {
  let best: P | undefined;
  let least = reach * reach;
  for (const point of points) {
    const [px, py] = place(point);
    const distance = (px - x) ** 2 + (py - y) ** 2;
    if (distance <= least) {
      least = distance;
      best = point;
    }
  }
  return best;
}
