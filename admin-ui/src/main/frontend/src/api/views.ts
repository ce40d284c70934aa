import type { components } from './generated/calibration';
import type { With } from './types';

/**
 * What the calibration service answers with. The types are generated; here is only said which fields are always there: the
 * interface's description does not tell those that may be absent from the others.
 */
type Views = components['schemas'];

export type Artifact = With<
  Views['ArtifactView'],
  | 'pool'
  | 'version'
  | 'active'
  | 'sha256'
  | 'sizeBytes'
  | 'model'
  | 'layers'
  | 'experts'
  | 'topK'
  | 'representation'
  | 'mask'
  | 'slots'
  | 'recommendedTau'
  | 'uncalibrated'
  | 'createdAt'
  | 'createdBy'
>;
export type Activation = With<Views['ActivationView'], 'pool' | 'generation' | 'version' | 'kind' | 'activatedAt' | 'actor'>;
export type Refit = With<
  Views['RefitView'],
  'id' | 'pool' | 'state' | 'progress' | 'trigger' | 'force' | 'requestedBy' | 'attempts' | 'createdAt' | 'proposed'
>;
export type Worker = With<Views['WorkerView'], 'slot' | 'role' | 'url' | 'desiredState' | 'source' | 'weight'>;
export type Pool = With<Views['PoolView'], 'name' | 'model' | 'policy' | 'mode' | 'pinned' | 'layers' | 'experts' | 'topK'>;
export type AuditRow = With<Views['AuditView'], 'id' | 'at' | 'actor' | 'action'>;
export type SampleSummary = Views['SampleSummary'];
export type Drift = Views['DriftView'];
export type RefitOptions = Views['RefitRequest'];

/** Whether a refit or an evaluation has ended, however it did. */
export function isOver(job: { readonly state: string }): boolean {
  return job.state !== 'QUEUED' && job.state !== 'RUNNING';
}

export type JobState = 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';

/** An evaluation of the simulator. */
export interface Evaluation {
  readonly id: number;
  readonly pool: string;
  readonly state: JobState;
  readonly stage?: string;
  readonly progress: number;
  readonly options: EvaluationOptions;
  readonly requestedBy: string;
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly reason?: string;
  readonly report?: unknown;
}

export interface EvaluationOptions {
  readonly version?: number;
  readonly policies: readonly string[];
  readonly tau: readonly string[];
  readonly decoders: readonly number[];
  readonly rates: readonly number[];
  readonly arrivals: string;
  readonly mix: string;
  readonly requests: number;
  readonly seeds: number;
}

/** An expert that a cluster uses more than the others do. */
export interface DistinctExpert {
  readonly layer: number;
  readonly expert: number;
  readonly use: number;
  readonly elsewhere: number;
}

export interface Cluster {
  readonly cluster: number;
  readonly slot: string;
  readonly basis: string;
  readonly fittedRequests?: number;
  readonly heldOutShare?: number;
  readonly sampledRequests: number;
  readonly labels: Readonly<Record<string, number>>;
  readonly layerContrast: readonly number[];
  readonly distinctExperts: readonly DistinctExpert[];
}

export interface Clusters {
  readonly pool: string;
  readonly version: number;
  readonly layers: number;
  readonly experts: number;
  readonly mask: readonly number[];
  readonly samples: number;
  readonly clusters: readonly Cluster[];
  readonly distances: readonly (readonly number[])[];
}

/** By layer and expert, the probability that a token selects it: in the cluster, and in the mean of all. */
export interface ClusterExperts {
  readonly slot: string;
  readonly basis: string;
  readonly layers: readonly number[];
  readonly use: readonly (readonly number[])[];
  readonly mean: readonly (readonly number[])[];
}
