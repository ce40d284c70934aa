import type { PoolState } from '../../api/types';

type Twin = Pick<PoolState, 'name' | 'model' | 'policy'>;

export interface Twins {
  /** The pool that routes by expert locality. */
  readonly locality: string;
  /** The one that gets the same traffic and routes by load alone. */
  readonly reference: string;
}

const LOCALITY = ['eldr', 'union'];

/**
 * Two pools to compare: `demo` by locality and `demo-jsq`, its twin. A pool's twin serves the same model, and its name is the
 * pool's with something after a dash. Undefined where there are none.
 */
export function twins(pools: readonly Twin[]): Twins | undefined {
  for (const pool of pools) {
    const twin = pools.find((other) => other.name.startsWith(`${pool.name}-`) && other.model === pool.model);
    if (twin === undefined) {
      continue;
    }
    const swapped = LOCALITY.includes(twin.policy) && !LOCALITY.includes(pool.policy);
    return swapped ? { locality: twin.name, reference: pool.name } : { locality: pool.name, reference: twin.name };
  }
  return undefined;
}
