export interface Labelled {
  readonly x: number;
  readonly y: number;
  /** Of its text. */
  readonly width: number;
}

const LINE = 13;
/** From a dot to the baseline of its label: above it, below it, then a line further. */
const OFFSETS = [-11, 19, -26, 34];

/** The baseline of each dot's label: above the dot, or where another label is there already, below or further away. */
export function baselines(dots: readonly Labelled[]): number[] {
  const placed: { x: number; width: number; baseline: number }[] = [];
  for (const { x, y, width } of dots) {
    const free = OFFSETS.map((offset) => y + offset).find((baseline) =>
      placed.every((other) => Math.abs(other.x - x) >= (other.width + width) / 2 || Math.abs(other.baseline - baseline) >= LINE),
    );
    placed.push({ x, width, baseline: free ?? y + (OFFSETS[0] ?? 0) });
  }
  return placed.map(({ baseline }) => baseline);
}
