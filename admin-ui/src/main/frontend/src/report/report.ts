/**
 * The report of a refit, as `io.eldr.core.calibration.CalibrationReport` and the service's gate write it. Its JSON is stored
 * with the version and has no schema in the API's description; whatever is absent is not known.
 */
export interface Report {
  readonly requests?: number;
  readonly representation?: string;
  readonly rho?: Readonly<Record<string, { readonly fit?: number | null; readonly heldOut?: number | null }>>;
  readonly prefillDecodeCorrelation?: number | null;
  readonly mask?: readonly number[];
  readonly maskOrder?: readonly number[];
  readonly maskCurve?: readonly (number | null)[];
  readonly clusterSizes?: readonly number[];
  readonly recommendedTau?: number;
  readonly heldOut?: { readonly shares?: readonly number[]; readonly meanBestSimilarity?: number; readonly meanBand?: number } | null;
  readonly unionReduction?: { readonly token?: string; readonly batches?: readonly UnionBatch[] } | null;
  readonly verdict?: { readonly worthEnabling?: boolean | null; readonly reasons?: readonly string[] };
  readonly warnings?: readonly string[];
  readonly seconds?: { readonly total?: number };
  readonly basis?: Basis;
  readonly gate?: Gate;
}

export interface UnionBatch {
  readonly batch: number;
  readonly groups: number;
  readonly grouped: number;
  readonly random: number;
  readonly reductionPct: number;
  readonly low: number;
  readonly high: number;
}

export interface Basis {
  readonly kind?: string;
  readonly samplesRead?: number;
  readonly samplesHeldBack?: number;
  readonly samplesUsed?: number;
  readonly samplesWithDecode?: number;
  readonly keptFromVersion?: number;
}

export interface Gate {
  readonly passed?: boolean;
  readonly judgedOn?: string;
  readonly rule?: string;
  readonly measure?: string | null;
  readonly batch?: number | null;
  readonly activeVersion?: number;
  readonly overridden?: boolean;
  readonly candidate?: number | null;
  readonly active?: number | null;
  readonly difference?: { readonly low?: number | null; readonly high?: number | null };
  readonly hottestShare?: { readonly candidate?: number | null; readonly active?: number | null; readonly limit?: number | null };
  readonly requests?: number;
  readonly reasons?: readonly string[];
  readonly warnings?: readonly string[];
}

/** The stored JSON as a report; undefined where there is none, as with imported versions. */
export function reportOf(json: unknown): Report | undefined {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? json : undefined;
}

/** The union reduction that the verdict stands on: the largest batch that was measured. */
export function decidingBatch(report: Report | undefined): UnionBatch | undefined {
  return report?.unionReduction?.batches?.reduce<UnionBatch | undefined>(
    (best, batch) => (best === undefined || batch.batch > best.batch ? batch : best),
    undefined,
  );
}

/** Rho of the chosen representation on held-out requests, or where nothing was held out on the fitted ones. */
export function chosenRho(report: Report | undefined): number | undefined {
  const figures = report?.rho?.[report.representation ?? ''];
  return figures?.heldOut ?? figures?.fit ?? undefined;
}

export function hottestShare(report: Report | undefined): number | undefined {
  const shares = report?.heldOut?.shares;
  return shares === undefined || shares.length === 0 ? undefined : Math.max(...shares);
}
