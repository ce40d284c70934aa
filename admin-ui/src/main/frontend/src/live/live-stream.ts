import { backEndUrl } from '../api/base';
import type { LiveState } from '../api/types';
import type { LiveStore } from './live-store';

const AGAIN_AFTER = 2_000;

/**
 * Follows `api/stream` into the store until it is closed. The browser reconnects by itself where the network fails; where the
 * back end refuses, this asks whether the session is over, and tries again.
 *
 * @param checkSession asked after a refusal
 * @returns closes it
 */
export function follow(store: LiveStore, checkSession: () => void): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  const open = (): void => {
    source = new EventSource(backEndUrl('api/stream'));
    source.addEventListener('state', (event: MessageEvent<string>) => {
      store.receive(JSON.parse(event.data) as LiveState, Date.now());
    });
    source.addEventListener('over', checkSession);
    source.addEventListener('error', () => {
      store.connected('lost');
      if (source?.readyState === EventSource.CLOSED && !closed) {
        checkSession();
        timer = setTimeout(open, AGAIN_AFTER);
      }
    });
  };
  open();

  return () => {
    closed = true;
    clearTimeout(timer);
    source?.close();
  };
}
