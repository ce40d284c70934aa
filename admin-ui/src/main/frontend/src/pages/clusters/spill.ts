/** Where requests went that were nearest to a cluster. */
export interface Spill {
  /** How many requests were nearest to it. */
  readonly requests: number;
  /** The share of them that another cluster's decoder got, 0 to 1. */
  readonly rate: number;
  /** Which clusters got these, the most frequent first. */
  readonly to: readonly { readonly cluster: number; readonly share: number }[];
}

/**
 * @param matrix requests by nearest cluster (row) and by the cluster of the decoder that got them (column)
 */
export function spillOf(matrix: readonly (readonly number[])[], cluster: number): Spill | undefined {
  const row = matrix[cluster];
  const requests = row?.reduce((sum, count) => sum + count, 0) ?? 0;
  if (row === undefined || requests === 0) {
    return undefined;
  }
  const out = requests - (row[cluster] ?? 0);
  const to = row
    .map((count, other) => ({ cluster: other, share: out === 0 ? 0 : count / out }))
    .filter((target) => target.cluster !== cluster && target.share > 0)
    .sort((a, b) => b.share - a.share);
  return { requests, rate: out / requests, to };
}

/** The nearest other cluster by distance. */
export function nearestOther(distances: readonly (readonly number[])[], cluster: number): { readonly cluster: number; readonly distance: number } | undefined {
  return distances[cluster]
    ?.map((distance, other) => ({ cluster: other, distance }))
    .filter((other) => other.cluster !== cluster)
    .reduce<{ cluster: number; distance: number } | undefined>((best, other) => (best === undefined || other.distance < best.distance ? other : best), undefined);
}
