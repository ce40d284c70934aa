import { useSyncExternalStore } from 'react';

const narrow = matchMedia('(max-width: 760px)');

/** Whether the page is about as wide as a phone. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      narrow.addEventListener('change', listener);
      return () => narrow.removeEventListener('change', listener);
    },
    () => narrow.matches,
  );
}
