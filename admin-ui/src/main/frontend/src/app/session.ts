import { type QueryClient, queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { rememberCsrf, send } from '../api/client';
import type { Session } from '../api/types';
import { isRole, refusal, type Role } from './permission';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => send<Session>('GET', 'api/session', undefined, signal).then(remembered),
  staleTime: Infinity,
  gcTime: Infinity,
});

export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

function remembered(session: Session): Session {
  rememberCsrf(session.csrf);
  return session;
}

export async function logIn(client: QueryClient, username: string, password: string): Promise<void> {
  const session = await send<Session>('POST', 'api/session', { username, password }).then(remembered);
  client.setQueryData(sessionQuery.queryKey, session);
  // What was refused meanwhile is asked for again.
  void client.invalidateQueries({ queryKey: ['services'] });
}

/** Asks the back end who is logged in: a call was refused, or the stream ended. */
export function useCheckSession(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
}

export interface User {
  readonly name: string;
  readonly role: Role;
}

export const UserContext = createContext<User | undefined>(undefined);

/** Who is logged in, for what is only shown to users. */
export function useUser(): User {
  const user = use(UserContext);
  if (user === undefined) {
    throw new Error('Nobody is logged in above this component.');
  }
  return user;
}

/** Why the user may not do what needs this role; undefined where they may. */
export function useRefusal(needed: Role): string | undefined {
  return refusal(useUser().role, needed);
}

export function userOf(session: Session): User | undefined {
  return session.authenticated && session.user !== undefined && isRole(session.role)
    ? { name: session.user, role: session.role }
    : undefined;
}
