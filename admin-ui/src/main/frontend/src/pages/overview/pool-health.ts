import type { PoolState } from '../../api/types';
import { integer, plural } from '../../format/number';
import type { Tone } from '../../ui/badge';

/** Whether a pool can serve, in a few words. Prefill workers are named only where one is missing: many pools have none here. */
export function healthOf(pool: Pick<PoolState, 'readyDecoders' | 'decoders' | 'prefillers' | 'degraded'>): readonly [Tone, string] {
  const decoders = share(pool.readyDecoders, pool.decoders.length, 'decoder');
  const prefilling = pool.prefillers.filter(({ readyOn }) => readyOn > 0).length;
  const lacksPrefillers = pool.prefillers.some(({ state }) => state !== 'READY');
  const ready = `${lacksPrefillers ? `${decoders}, ${share(prefilling, pool.prefillers.length, 'prefiller')}` : decoders} ready`;
  if (pool.readyDecoders === 0 || (lacksPrefillers && prefilling === 0)) {
    return ['bad', ready];
  }
  if (pool.degraded) {
    return ['warn', `Degraded · ${ready}`];
  }
  return [pool.readyDecoders < pool.decoders.length || lacksPrefillers ? 'warn' : 'good', ready];
}

function share(ready: number, all: number, what: string): string {
  return `${integer(ready)} of ${plural(all, what)}`;
}
