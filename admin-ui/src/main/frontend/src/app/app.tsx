import { useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { LiveStore } from '../live/live-store';
import { LiveContext } from '../live/use-live';
import { Failure } from '../ui/states';
import { Toasts } from '../ui/toast';
import { LiveFeed } from './live-feed';
import { LoginDialog, LoginPage } from './login';
import { router } from './router';
import { sessionQuery, type User, UserContext, userOf } from './session';

/**
 * Who is logged in decides what is shown. A session that ends leaves the page as it is, under a login: whoever logs in again
 * as the same user goes on at the same address.
 */
export function App() {
  const session = useQuery(sessionQuery);
  const [store] = useState(() => new LiveStore());
  const [last, setLast] = useState<User>();
  const [isOver, setIsOver] = useState(false);
  const [logins, setLogins] = useState(0);
  const user = session.data === undefined ? undefined : userOf(session.data);

  if (user !== undefined && (user.name !== last?.name || user.role !== last.role)) {
    if (last !== undefined && user.name !== last.name) {
      // Nothing that the one saw is shown to the other.
      window.location.reload();
      return null;
    }
    setLast(user);
  }
  if (last !== undefined && isOver !== (user === undefined)) {
    setIsOver(user === undefined);
    if (user !== undefined) {
      // The page begins anew where it was: a question that was open then is asked on what is there now.
      setLogins(logins + 1);
    }
  }
  if (session.isPending) {
    return <p className="splash">ELDR</p>;
  }
  if (session.data === undefined) {
    return (
      <main className="splash">
        <Failure failure={session.error} onRetry={() => void session.refetch()} />
      </main>
    );
  }
  if (last === undefined) {
    return <LoginPage session={session.data} />;
  }
  return (
    <UserContext value={last}>
      <LiveContext value={store}>
        {user === undefined ? <LoginDialog session={session.data} user={last} /> : <LiveFeed store={store} />}
        <RouterProvider key={logins} router={router} />
        <Toasts />
      </LiveContext>
    </UserContext>
  );
}
