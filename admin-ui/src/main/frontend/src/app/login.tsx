import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { backEndUrl } from '../api/base';
import { CallFailed } from '../api/problem';
import type { Session } from '../api/types';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { Note } from '../ui/states';
import { Logo } from './logo';
import { logIn, type User } from './session';

export function LoginPage({ session }: { readonly session: Session }) {
  return (
    <main className="login">
      <div className="login-box">
        <Logo />
        <h1>Log in to ELDR</h1>
        <LoginForm session={session} />
      </div>
    </main>
  );
}

/** Over the page that the session was lost on. */
export function LoginDialog({ session, user }: { readonly session: Session; readonly user: User }) {
  return (
    <Dialog title="Your session is over" modal onClose={() => undefined}>
      <div className="dialog-body">
        <p className="muted">Log in again to go on where you were. What was not confirmed yet was not done.</p>
        <LoginForm session={session} name={user.name} />
      </div>
    </Dialog>
  );
}

function LoginForm({ session, name = '' }: { readonly session: Session; readonly name?: string }) {
  const client = useQueryClient();
  const [username, setUsername] = useState(name);
  const [password, setPassword] = useState('');
  const login = useMutation({ mutationFn: () => logIn(client, username, password), onError: () => setPassword('') });
  return (
    <div className="stack">
      {session.passwordLogin ? (
        <Form
          className="stack"
          onSubmit={(event) => {
            event.preventDefault();
            login.mutate();
          }}
        >
          <TextField label="User" value={username} onChange={setUsername} autoComplete="username" isRequired autoFocus={name === ''} />
          <TextField label="Password" type="password" value={password} onChange={setPassword} autoComplete="current-password" isRequired autoFocus={name !== ''} />
          {login.isError ? <Note tone="bad">{said(login.error)}</Note> : null}
          <Button type="submit" variant="primary" isPending={login.isPending}>
            {login.isPending ? 'Logging in…' : 'Log in'}
          </Button>
        </Form>
      ) : null}
      {session.providers.map((provider) => (
        <a key={provider.url} className="button button-secondary" href={`${backEndUrl(provider.url)}?next=${encodeURIComponent(window.location.pathname + window.location.search)}`}>
          Log in with {provider.name}
        </a>
      ))}
      {session.passwordLogin || session.providers.length > 0 ? null : (
        <Note tone="warn">No way to log in is set up. Whoever runs this dashboard finds it under eldr.admin in its configuration.</Note>
      )}
    </div>
  );
}

function said(failure: unknown): string {
  return failure instanceof CallFailed ? failure.message : 'The login failed. Try again.';
}
