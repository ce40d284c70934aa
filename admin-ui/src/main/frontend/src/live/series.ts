/** The figures of a pool that are drawn over time. */
export const FIGURES = ['tpotP50Ms', 'tpotP99Ms', 'activeExperts', 'decisionsPerSecond', 'spillRate'] as const;

export type Figure = (typeof FIGURES)[number];

export type Reading = { readonly [F in Figure]?: number | null | undefined };

/** As uPlot wants it: seconds since 1970, ascending, and for each a value or null. */
export type Track = (number | null)[];

/** The last minutes of a pool, one reading for each second, in columns. */
export class Series {
  readonly at: number[] = [];
  private readonly tracks: Readonly<Record<Figure, Track>>;
  private readonly capacity: number;

  constructor(capacity = 900) {
    this.capacity = capacity;
    this.tracks = Object.fromEntries(FIGURES.map((figure) => [figure, []])) as unknown as Record<Figure, Track>;
  }

  track(figure: Figure): Track {
    return this.tracks[figure];
  }

  reading(i: number): Reading {
    return Object.fromEntries(FIGURES.map((figure) => [figure, this.tracks[figure][i]]));
  }

  /** A reading that is not newer than the last is left out: a stream that begins again may repeat one. */
  add(seconds: number, reading: Reading): void {
    const last = this.at.at(-1);
    if (last !== undefined && seconds <= last) {
      return;
    }
    this.at.push(seconds);
    for (const figure of FIGURES) {
      this.tracks[figure].push(reading[figure] ?? null);
    }
    if (this.at.length > this.capacity) {
      const excess = this.at.length - this.capacity;
      this.at.splice(0, excess);
      FIGURES.forEach((figure) => this.tracks[figure].splice(0, excess));
    }
  }
}

/** Two tracks on one axis of time: the union of their seconds, with null where one has none. */
export function joined(a: Series, b: Series, figure: Figure): { at: number[]; a: Track; b: Track } {
  const at: number[] = [];
  const left: Track = [];
  const right: Track = [];
  const leftTrack = a.track(figure);
  const rightTrack = b.track(figure);
  let i = 0;
  let j = 0;
  while (i < a.at.length || j < b.at.length) {
    const x = a.at[i] ?? Infinity;
    const y = b.at[j] ?? Infinity;
    at.push(Math.min(x, y));
    left.push(x <= y ? (leftTrack[i] ?? null) : null);
    right.push(y <= x ? (rightTrack[j] ?? null) : null);
    if (x <= y) {
      i++;
    }
    if (y <= x) {
      j++;
    }
  }
  return { at, a: left, b: right };
}

/** Seconds that are drawn as one point: fifteen minutes then are about as many points as a chart has pixels. */
const STEP = 3;

/** The mean of each few seconds. */
export function thinned(at: readonly number[], tracks: readonly Track[], step = STEP): { at: number[]; tracks: Track[] } {
  const thin: number[] = [];
  const means: Track[] = tracks.map(() => []);
  let begin = 0;
  while (begin < at.length) {
    const bucket = Math.floor((at[begin] ?? 0) / step);
    let end = begin + 1;
    while (end < at.length && Math.floor((at[end] ?? 0) / step) === bucket) {
      end++;
    }
    thin.push(bucket * step);
    tracks.forEach((track, i) => means[i]?.push(mean(track, begin, end)));
    begin = end;
  }
  return { at: thin, tracks: means };
}

function mean(track: Track, begin: number, end: number): number | null {
  let sum = 0;
  let count = 0;
  for (let i = begin; i < end; i++) {
    const value = track[i];
    if (value !== null && value !== undefined) {
      sum += value;
      count++;
    }
  }
  return count === 0 ? null : sum / count;
}

/** The mean of what is known among the last `seconds` of a track. */
export function recentMean(series: Series, figure: Figure, seconds: number): number | undefined {
  const newest = series.at.at(-1);
  if (newest === undefined) {
    return undefined;
  }
  const track = series.track(figure);
  let sum = 0;
  let count = 0;
  for (let i = track.length - 1; i >= 0 && newest - (series.at[i] ?? 0) < seconds; i--) {
    const value = track[i];
    if (value !== null && value !== undefined) {
      sum += value;
      count++;
    }
  }
  return count === 0 ? undefined : sum / count;
}
