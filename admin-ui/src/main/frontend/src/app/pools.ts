import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { registry } from '../api/queries';
import { sameItems, useLive } from '../live/use-live';
import { byName } from '../ui/order';

let lastPool: string | undefined;

/** All pools: those that routers serve and those that are only written down yet. */
export function usePoolNames(): readonly string[] {
  const live = useLive(({ state }) => state?.pools.map((pool) => pool.name) ?? [], sameItems);
  const known = useQuery(registry<readonly { readonly name?: string }[]>('/v1/pools', 30_000)).data;
  return useMemo(
    () => [...new Set([...live, ...(known ?? []).flatMap((pool) => pool.name ?? [])])].sort(byName),
    [live, known],
  );
}

/** The pool of this page; on pages of no pool, the one that was looked at last. */
export function usePool(): string | undefined {
  const { pool } = useParams({ strict: false });
  const names = usePoolNames();
  useEffect(() => {
    lastPool = pool ?? lastPool;
  }, [pool]);
  if (pool !== undefined) {
    return pool;
  }
  return lastPool !== undefined && names.includes(lastPool) ? lastPool : names[0];
}
