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
export type Worker = With<Views['WorkerView'], 'slot' | 'role' | 'url' | 'desiredState' | 'source' | 'weight' | 'probe'>;
export type Pool = With<Views['PoolView'], 'name' | 'model' | 'policy' | 'tau' | 'mode' | 'pinned' | 'layers' | 'experts' | 'topK'>;
export type AuditRow = With<Views['AuditView'], 'id' | 'at' | 'actor' | 'action'>;
export type SampleSummary = Views['SampleSummary'];
export type Drift = Views['DriftView'];
export type RefitOptions = Views['RefitRequest'];

/** Whether a refit or an evaluation has ended, however it did. */
export function isOver(job: { readonly state: string }): boolean {
  return job.state !== 'QUEUED' && job.state !== 'RUNNING';
}

/** An evaluation of the simulator. Its report has the simulator's own form, which `study.ts` reads. */
export type Evaluation = Omit<With<Views['EvaluationView'], 'id' | 'pool' | 'state' | 'progress' | 'requestedBy' | 'createdAt'>, 'options' | 'report'> & {
  readonly options: EvaluationOptions;
  readonly report?: unknown;
};
export type EvaluationOptions = With<Views['EvaluationOptions'], 'policies' | 'tau' | 'decoders' | 'rates' | 'arrivals' | 'mix' | 'requests' | 'seeds'>;
export type JobState = Evaluation['state'];

export type DistinctExpert = With<Views['DistinctExpert'], 'layer' | 'expert' | 'use' | 'elsewhere'>;
export type Cluster = Omit<With<Views['Cluster'], 'cluster' | 'slot' | 'basis' | 'sampledRequests' | 'labels' | 'layerContrast'>, 'distinctExperts'> & {
  readonly distinctExperts: readonly DistinctExpert[];
};
export type Clusters = Omit<With<Views['Clusters'], 'pool' | 'version' | 'layers' | 'experts' | 'mask' | 'samples' | 'distances'>, 'clusters'> & {
  readonly clusters: readonly Cluster[];
};
export type ClusterExperts = With<Views['ClusterExperts'], 'slot' | 'basis' | 'layers' | 'use' | 'mean'>;
