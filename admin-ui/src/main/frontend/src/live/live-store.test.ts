import { describe, expect, it, vi } from 'vitest';
import type { LiveState, Overview, PoolState } from '../api/types';
import { LiveStore } from './live-store';

function state(second: number, p50: number, stale = false): LiveState {
  const at = new Date(second * 1000).toISOString();
  const pool: PoolState = {
    name: 'demo',
    health: { stale },
    model: 'm',
    layers: 1,
    experts: 1,
    topK: 1,
    policy: 'eldr',
    tau: 0,
    minCandidates: 1,
    generation: 1,
    degraded: false,
    readyDecoders: 0,
    tpotP50Ms: p50,
    decoders: [],
    prefillers: [],
  };
  return { sequence: second, at, calibration: { stale: false }, routers: [], pools: [pool] };
}

function overview(live: LiveState, at: readonly number[]): Overview {
  const column = at.map((second) => second);
  const series = { pool: 'demo', at: [...at], tpotP50Ms: column, tpotP99Ms: column, activeExperts: column, decisionsPerSecond: column, spillRate: column };
  return { live, series: [series] };
}

describe('the live store', () => {
  it('tells its listeners of each state and draws it out', () => {
    const store = new LiveStore();
    const listener = vi.fn();
    const stop = store.subscribe(listener);
    store.receive(state(10, 22), 1_000);
    expect(store.snapshot()).toMatchObject({ receivedAt: 1_000, connection: 'open' });
    stop();
    store.receive(state(11, 23), 2_000);
    expect(listener).toHaveBeenCalledTimes(1);
    expect(store.series('demo').track('tpotP50Ms')).toEqual([22, 23]);
  });

  it('does not draw what is stale as if it were of now', () => {
    const store = new LiveStore();
    store.receive(state(10, 22, true), 1_000);
    expect(store.series('demo').at).toEqual([]);
  });

  it('puts the past before what the stream brought meanwhile', () => {
    const store = new LiveStore();
    store.receive(state(12, 22), 1_000);
    store.begin(overview(state(11, 21), [9, 10, 11]), 1_500);
    expect(store.series('demo').track('tpotP50Ms')).toEqual([9, 10, 11, 22]);
    expect(store.snapshot().state?.sequence).toBe(12);
  });

  it('keeps the last state when the connection is lost', () => {
    const store = new LiveStore();
    store.begin(overview(state(10, 21), []), 1_000);
    store.connected('lost');
    expect(store.snapshot()).toMatchObject({ connection: 'lost', receivedAt: 1_000 });
    expect(store.snapshot().state).toBeDefined();
  });
});
