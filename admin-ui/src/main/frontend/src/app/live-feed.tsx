import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { send } from '../api/client';
import type { Overview } from '../api/types';
import type { LiveStore } from '../live/live-store';
import { follow } from '../live/live-stream';
import { sessionQuery } from './session';

/** Feeds the store for as long as somebody is logged in: first with the past minutes, then second by second. */
export function LiveFeed({ store }: { readonly store: LiveStore }) {
  const client = useQueryClient();
  useEffect(() => {
    const ending = new AbortController();
    const stop = follow(store, () => void client.invalidateQueries({ queryKey: sessionQuery.queryKey }));
    send<Overview>('GET', 'api/overview', undefined, ending.signal)
      .then((overview) => store.begin(overview, Date.now()))
      // The stream alone fills the charts too, only later.
      .catch(() => undefined);
    return () => {
      ending.abort();
      stop();
    };
  }, [client, store]);
  return null;
}
