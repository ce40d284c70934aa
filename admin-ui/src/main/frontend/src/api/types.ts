import type { components } from './generated/admin';

/**
 * What the back end answers with. The types are generated; here is only said which fields are always there: the interface's
 * description does not tell those that may be absent from the others.
 */
type Views = components['schemas'];
export type With<T, K extends keyof T> = Omit<T, K> & { readonly [P in K]-?: Exclude<T[P], undefined> };

export type Provider = With<Views['Provider'], 'name' | 'url'>;
export type Session = Omit<With<Views['Session'], 'authenticated' | 'passwordLogin'>, 'csrf' | 'providers'> & {
  readonly csrf: With<Views['Csrf'], 'header' | 'token'>;
  readonly providers: readonly Provider[];
};

export type Health = With<Views['Health'], 'stale'>;
export type RouterPool = Omit<With<Views['RouterPool'], 'pool' | 'generation' | 'policy' | 'behind'>, 'nack'> & {
  readonly nack?: With<Views['Nack'], 'generation' | 'reason'>;
};
export type RouterState = Omit<With<Views['RouterState'], 'instance' | 'url'>, 'health' | 'pools'> & {
  readonly health: Health;
  readonly pools: readonly RouterPool[];
};
export type DecoderState = With<
  Views['DecoderState'],
  'id' | 'url' | 'state' | 'readyOn' | 'borrowed' | 'weight' | 'inFlight' | 'load' | 'share'
>;
export type PrefillerState = With<Views['PrefillerState'], 'id' | 'url' | 'state' | 'readyOn' | 'inFlight'>;
export type PoolState = Omit<
  With<
    Views['PoolState'],
    'name' | 'model' | 'layers' | 'experts' | 'topK' | 'policy' | 'tau' | 'minCandidates' | 'generation' | 'degraded' | 'readyDecoders'
  >,
  'health' | 'decoders' | 'prefillers'
> & {
  readonly health: Health;
  readonly decoders: readonly DecoderState[];
  readonly prefillers: readonly PrefillerState[];
};
export type LiveState = Omit<With<Views['LiveState'], 'sequence' | 'at'>, 'calibration' | 'routers' | 'pools'> & {
  readonly calibration: Health;
  readonly routers: readonly RouterState[];
  readonly pools: readonly PoolState[];
};
export type PoolHistory = With<
  Views['PoolHistory'],
  'pool' | 'at' | 'tpotP50Ms' | 'tpotP99Ms' | 'activeExperts' | 'decisionsPerSecond' | 'spillRate'
>;
export interface Overview {
  readonly live: LiveState;
  readonly series: readonly PoolHistory[];
}

export type MapPoint = With<Views['MapPoint'], 'requestId' | 'at' | 'decoder' | 'nearest' | 'reason' | 'x' | 'y'>;
export type MapCentroid = With<Views['MapCentroid'], 'cluster' | 'slot' | 'x' | 'y'>;
export type PoolMap = Omit<With<Views['PoolMap'], 'pool' | 'generation' | 'explained' | 'spill' | 'labels'>, 'centroids' | 'points' | 'missing'> & {
  readonly centroids: readonly MapCentroid[];
  readonly points: readonly MapPoint[];
  readonly missing: readonly With<Views['MissingRouter'], 'instance' | 'reason'>[];
};
