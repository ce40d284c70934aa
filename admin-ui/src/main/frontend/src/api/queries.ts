import { queryOptions } from '@tanstack/react-query';
import { calibration, type RestCall } from './call';
import { make, send } from './client';
import { CallFailed } from './problem';

/** Keys of all that comes from a service begin with this word, so that one action can have it all read again. */
const SERVICES = 'services';

/** What a service answers to a call that changes nothing. */
export function reading<T>(call: RestCall, every?: number) {
  return queryOptions({
    queryKey: [SERVICES, call.service, call.path],
    queryFn: ({ signal }) => make<T>(call, signal),
    ...(every === undefined ? {} : { refetchInterval: every }),
  });
}

/** The same of the calibration service. */
export function registry<T>(at: string, every?: number) {
  return reading<T>(calibration('GET', at), every);
}

/** What the back end itself gathers from several services, such as `api/pools/demo/map`. */
export function gathered<T>(at: string, every?: number) {
  return queryOptions({
    queryKey: [SERVICES, 'gathered', at],
    queryFn: ({ signal }) => send<T>('GET', at, undefined, signal),
    ...(every === undefined ? {} : { refetchInterval: every }),
  });
}

/** Refusals are final; what is away may be back. */
export function shouldRetry(failures: number, failure: unknown): boolean {
  return failure instanceof CallFailed && failure.isAway && failures < 2;
}
