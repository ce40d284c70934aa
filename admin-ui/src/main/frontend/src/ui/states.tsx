import type { ReactNode } from 'react';
import { explain } from '../api/problem';
import { Button } from './button';
import { Icon } from './icon';

/** Nothing is there yet: what it would be, and how to get it. */
export function Empty({ title, children, action }: { readonly title: string; readonly children?: ReactNode; readonly action?: ReactNode }) {
  return (
    <div className="state">
      <h3>{title}</h3>
      {children === undefined ? null : <p>{children}</p>}
      {action}
    </div>
  );
}

/** A part that cannot be shown: what happened, and what to do. */
export function Failure({ failure, onRetry }: { readonly failure: unknown; readonly onRetry?: () => void }) {
  const { title, detail, advice } = explain(failure);
  return (
    <div className="state state-bad" role="alert">
      <h3>
        <Icon name="warning" /> {title}
      </h3>
      <p>{detail}</p>
      <p className="muted">{advice}</p>
      {onRetry === undefined ? null : <Button onPress={onRetry}>Try again</Button>}
    </div>
  );
}

/** The same inside a form or a dialog. */
export function Refused({ failure }: { readonly failure: unknown }) {
  const { title, detail, advice } = explain(failure);
  return (
    <div className="note note-bad" role="alert">
      <b>{title}.</b> {detail} <span className="muted">{advice}</span>
    </div>
  );
}

export function Loading({ what, lines = 4 }: { readonly what: string; readonly lines?: number }) {
  return (
    <div className="loading" role="status" aria-busy="true">
      <span className="visually-hidden">Loading {what}</span>
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} className="skeleton" />
      ))}
    </div>
  );
}

export function Note({ tone = 'info', children }: { readonly tone?: 'info' | 'warn' | 'bad' | 'good'; readonly children: ReactNode }) {
  return <div className={`note note-${tone}`}>{children}</div>;
}
