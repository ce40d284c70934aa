// TEMPORARY until docs/openapi/admin.json is there: the shapes of the back end's drafts.
export interface Csrf { readonly header: string; readonly token: string }
export interface Provider { readonly name: string; readonly url: string }
export interface Session {
  readonly authenticated: boolean;
  readonly user?: string;
  readonly role?: 'viewer' | 'operator' | 'admin';
  readonly expiresAt?: string;
  readonly csrf: Csrf;
  readonly passwordLogin: boolean;
  readonly providers: readonly Provider[];
}
export interface Health { readonly stale: boolean; readonly since?: string; readonly detail?: string }
export interface Nack { readonly generation: number; readonly reason: string }
export interface RouterPool {
  readonly pool: string; readonly generation: number; readonly artifactVersion?: number; readonly policy: string;
  readonly behind: boolean; readonly nack?: Nack;
}
export interface RouterState {
  readonly instance: string; readonly url: string; readonly health: Health; readonly startedAt?: string;
  readonly lastHeartbeat?: string; readonly pools: readonly RouterPool[];
}
export interface DecoderState {
  readonly id: string; readonly url: string; readonly state: 'READY' | 'PENDING' | 'DRAINING' | 'EJECTED' | 'GONE';
  readonly readyOn: number; readonly cluster?: number; readonly borrowed: boolean; readonly weight: number;
  readonly maxInFlight?: number; readonly inFlight: number; readonly load: number; readonly running?: number;
  readonly waiting?: number; readonly kvUse?: number; readonly share: number; readonly tpotMs?: number;
  readonly activeExperts?: number;
}
export interface PoolState {
  readonly name: string; readonly health: Health; readonly model: string; readonly revision?: string;
  readonly layers: number; readonly experts: number; readonly topK: number; readonly policy: string; readonly tau: number;
  readonly minCandidates: number; readonly generation: number; readonly artifactVersion?: number;
  readonly degraded: boolean; readonly readyDecoders: number; readonly recentDecisions: number;
  readonly reasons: Readonly<Record<string, number>>; readonly spillRate?: number; readonly outOfBandRate?: number;
  readonly decisionsPerSecond?: number; readonly tpotMs?: number; readonly tpotP50Ms?: number; readonly tpotP99Ms?: number;
  readonly activeExperts?: number; readonly decoders: readonly DecoderState[];
}
export interface LiveState {
  readonly sequence: number; readonly at: string; readonly intervalSeconds: number; readonly calibration: Health;
  readonly routers: readonly RouterState[]; readonly pools: readonly PoolState[];
}
export interface PoolHistory {
  readonly pool: string; readonly at: readonly number[]; readonly tpotP50Ms: readonly (number | null)[];
  readonly tpotP99Ms: readonly (number | null)[]; readonly activeExperts: readonly (number | null)[];
  readonly decisionsPerSecond: readonly (number | null)[]; readonly spillRate: readonly (number | null)[];
}
export interface Overview {
  readonly live: LiveState; readonly series: readonly PoolHistory[];
}
export interface DistinctExpert { readonly layer: number; readonly expert: number; readonly use: number; readonly elsewhere: number }
export interface Cluster {
  readonly cluster: number; readonly slot: string; readonly basis: string; readonly fittedRequests?: number;
  readonly heldOutShare?: number; readonly sampledRequests: number; readonly labels: Readonly<Record<string, number>>;
  readonly layerContrast: readonly number[]; readonly distinctExperts: readonly DistinctExpert[];
}
export interface Clusters {
  readonly pool: string; readonly version: number; readonly layers: number; readonly experts: number; readonly topK: number;
  readonly mask: readonly number[]; readonly samples: number; readonly clusters: readonly Cluster[];
  readonly distances: readonly (readonly number[])[];
}
export interface ClusterExperts {
  readonly pool: string; readonly version: number; readonly cluster: number; readonly slot: string; readonly basis: string;
  readonly layers: readonly number[]; readonly use: readonly (readonly number[])[]; readonly mean: readonly (readonly number[])[];
}
export interface MapCentroid { readonly cluster: number; readonly slot: string; readonly x: number; readonly y: number }
export interface MapPoint {
  readonly requestId: string; readonly at: string; readonly label?: string; readonly decoder: string; readonly nearest: number;
  readonly cluster?: number; readonly similarity?: number; readonly reason: string; readonly x: number; readonly y: number;
}
export interface PoolMap {
  readonly pool: string; readonly generation: number; readonly artifactVersion?: number; readonly explained: readonly number[];
  readonly centroids: readonly MapCentroid[]; readonly points: readonly MapPoint[];
  readonly spill: readonly (readonly number[])[]; readonly labels: readonly Readonly<Record<string, number>>[];
  readonly missing: readonly { readonly instance: string; readonly reason: string }[];
}
