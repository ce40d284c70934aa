import { backEndUrl } from './base';
import { passage, type RestCall } from './call';
import { CallFailed, problemOf } from './problem';

/** What every call but GET carries, so that no other site can make it. */
interface CsrfToken {
  readonly header: string;
  readonly token: string;
}

let csrf: CsrfToken | undefined;
let onSessionOver: () => void = () => undefined;

export function rememberCsrf(token: CsrfToken | undefined): void {
  csrf = token;
}

/** Who is told that the back end no longer knows the login. */
export function whenSessionIsOver(listener: () => void): void {
  onSessionOver = listener;
}

/** Makes a call of a service, through the back end. */
export function make<T>(call: RestCall, signal?: AbortSignal): Promise<T> {
  return send<T>(call.method, passage(call), call.body, signal);
}

/** Makes a call of the back end itself. */
export async function send<T>(method: string, at: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const response = await reach(method, at, body, signal);
  if (response.ok) {
    // Whoever names T knows the interface; its types are generated from the services' own.
    return (response.status === 204 ? undefined : await response.json()) as T;
  }
  // A refused login is not the end of a session. A refusal for want of the CSRF token may be: its cookie ends with the session.
  if ((response.status === 401 || response.status === 403) && at !== 'api/session') {
    onSessionOver();
  }
  throw new CallFailed(response.status, await problemOf(response));
}

async function reach(method: string, at: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const headers = new Headers({ Accept: 'application/json' });
  if (body !== undefined) {
    headers.set('Content-Type', 'application/json');
  }
  if (method !== 'GET' && csrf !== undefined) {
    headers.set(csrf.header, csrf.token);
  }
  try {
    return await fetch(backEndUrl(at), {
      method,
      headers,
      credentials: 'same-origin',
      redirect: 'error',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (failure) {
    if (signal?.aborted === true) {
      throw failure;
    }
    throw new CallFailed(0, {
      type: 'about:blank',
      title: 'No answer',
      detail: 'The call did not reach the dashboard’s back end. Whether it took effect is not known if it was a change.',
    });
  }
}
