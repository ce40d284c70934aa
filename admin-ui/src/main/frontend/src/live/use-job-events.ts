import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { backEndUrl } from '../api/base';
import { calibration, passage } from '../api/call';
import { registry } from '../api/queries';
import { isOver } from '../api/views';

/**
 * Follows a job of the calibration service while it goes on: each step replaces what the query of the job holds.
 *
 * @param at the job's path; its events are below it
 * @param event what its events are called
 */
export function useJobEvents(at: string, event: string, running: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!running) {
      return;
    }
    const source = new EventSource(backEndUrl(passage(calibration('GET', `${at}/events`))));
    source.addEventListener(event, (message: MessageEvent<string>) => {
      const job = JSON.parse(message.data) as { readonly state: string };
      client.setQueryData(registry(at).queryKey, job);
      if (isOver(job)) {
        source.close();
        void client.invalidateQueries({ queryKey: ['services'] });
      }
    });
    return () => source.close();
  }, [client, at, event, running]);
}
