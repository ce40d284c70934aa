import { createContext, use, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { LiveSnapshot, LiveStore } from './live-store';
import { type Freshness, freshness, STALE_AFTER } from './staleness';

export const LiveContext = createContext<LiveStore | undefined>(undefined);

export function useLiveStore(): LiveStore {
  const store = use(LiveContext);
  if (store === undefined) {
    throw new Error('There is no live store above this component.');
  }
  return store;
}

/** What `select` takes of the live state. The component renders again only when that changed, by `same`. */
export function useLive<T>(
  select: (snapshot: LiveSnapshot) => T,
  same: (a: T, b: T) => boolean = Object.is,
): T {
  const store = useLiveStore();
  const last = useRef<{ value: T } | undefined>(undefined);
  return useSyncExternalStore(store.subscribe, () => {
    const value = select(store.snapshot());
    if (last.current !== undefined && same(last.current.value, value)) {
      return last.current.value;
    }
    last.current = { value };
    return value;
  });
}

/** Calls `draw` with each new state, without rendering anything. */
export function useOnLive(draw: () => void): void {
  const store = useLiveStore();
  const latest = useRef(draw);
  useEffect(() => {
    latest.current = draw;
  });
  useEffect(() => {
    latest.current();
    return store.subscribe(() => latest.current());
  }, [store]);
}

/** This browser's clock, once a second. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** How old the live state is. */
export function useFreshness(): Freshness {
  const receivedAt = useLive((snapshot) => snapshot.receivedAt);
  return freshness(receivedAt, useNow());
}

/** Whether the live state is too old to act on. Renders when that changes, not with each second. */
export function useIsStale(): boolean {
  const store = useLiveStore();
  const [stale, setStale] = useState(false);
  useEffect(() => {
    const look = (): void => {
      const { receivedAt } = store.snapshot();
      setStale(receivedAt !== undefined && Date.now() - receivedAt > STALE_AFTER);
    };
    const timer = setInterval(look, 1000);
    const stop = store.subscribe(look);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [store]);
  return stale;
}

/** Equality of lists by their items, for selections that make a new list each time. */
export function sameItems<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, i) => Object.is(item, b[i]));
}
