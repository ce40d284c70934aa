import type { LiveState, Overview, PoolHistory, PoolState } from '../api/types';
import { type Reading, Series } from './series';

/** Whether the stream is there. `over` means that the session is. */
export type Connection = 'connecting' | 'open' | 'lost';

export interface LiveSnapshot {
  readonly state: LiveState | undefined;
  /** When the state came in, by this browser's clock. */
  readonly receivedAt: number | undefined;
  readonly connection: Connection;
}

/**
 * The newest live state and the last minutes of each pool. React components read the snapshot through `useLive`, charts
 * listen and draw the series on their own, so that a second's news renders only what shows it.
 */
export class LiveStore {
  private current: LiveSnapshot = { state: undefined, receivedAt: undefined, connection: 'connecting' };
  private readonly listeners = new Set<() => void>();
  private readonly pools = new Map<string, Series>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): LiveSnapshot => this.current;

  /** The series of a pool; empty where nothing is known of it yet. */
  series(pool: string): Series {
    let series = this.pools.get(pool);
    if (series === undefined) {
      series = new Series();
      this.pools.set(pool, series);
    }
    return series;
  }

  receive(state: LiveState, now: number): void {
    const seconds = Math.round(Date.parse(state.at) / 1000);
    for (const pool of state.pools) {
      if (!pool.health.stale) {
        this.series(pool.name).add(seconds, reading(pool));
      }
    }
    this.change({ state, receivedAt: now, connection: 'open' });
  }

  /** What was before this page was opened, and what is now unless the stream was faster. */
  begin(overview: Overview, now: number): void {
    for (const history of overview.series) {
      const earlier = new Series();
      history.at.forEach((seconds, i) => earlier.add(Math.round(seconds), past(history, i)));
      const since = this.pools.get(history.pool);
      since?.at.forEach((seconds, i) => earlier.add(seconds, since.reading(i)));
      this.pools.set(history.pool, earlier);
    }
    if (this.current.state === undefined) {
      this.receive(overview.live, now);
    } else {
      this.change({ ...this.current });
    }
  }

  connected(connection: Connection): void {
    if (connection !== this.current.connection) {
      this.change({ ...this.current, connection });
    }
  }

  /** Forgets all, for another user to come. */
  clear(): void {
    this.pools.clear();
    this.change({ state: undefined, receivedAt: undefined, connection: 'connecting' });
  }

  private change(next: LiveSnapshot): void {
    this.current = next;
    this.listeners.forEach((listener) => listener());
  }
}

function past(history: PoolHistory, i: number): Reading {
  return {
    tpotP50Ms: history.tpotP50Ms[i],
    tpotP99Ms: history.tpotP99Ms[i],
    activeExperts: history.activeExperts[i],
    decisionsPerSecond: history.decisionsPerSecond[i],
    spillRate: history.spillRate[i],
  };
}

function reading(pool: PoolState): Reading {
  return {
    tpotP50Ms: pool.tpotP50Ms ?? pool.tpotMs,
    tpotP99Ms: pool.tpotP99Ms,
    activeExperts: pool.activeExperts,
    decisionsPerSecond: pool.decisionsPerSecond,
    spillRate: pool.spillRate,
  };
}
