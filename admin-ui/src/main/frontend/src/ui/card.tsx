import { type ReactNode, useId } from 'react';

interface CardProps {
  readonly title: ReactNode;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** Without space around the content, for tables. */
  readonly flush?: boolean;
  readonly className?: string;
}

export function Card({ title, about, actions, children, flush = false, className = '' }: CardProps) {
  const id = useId();
  return (
    <section className={`card ${className}`} aria-labelledby={id}>
      <header className="card-head">
        <div className="card-title">
          <h2 id={id}>{title}</h2>
          {about === undefined ? null : <p className="muted">{about}</p>}
        </div>
        {actions === undefined ? null : <div className="row">{actions}</div>}
      </header>
      <div className={flush ? 'card-flush' : 'card-body'}>{children}</div>
    </section>
  );
}

/** A number with its name. */
export function Figure({ name, value, note, tone }: { readonly name: ReactNode; readonly value: ReactNode; readonly note?: ReactNode; readonly tone?: 'good' | 'warn' | 'bad' | undefined }) {
  return (
    <div className="figure">
      <dt>{name}</dt>
      <dd className={tone === undefined ? '' : `tone-${tone}`}>{value}</dd>
      {note === undefined ? null : <dd className="figure-note">{note}</dd>}
    </div>
  );
}

export function Figures({ children }: { readonly children: ReactNode }) {
  return <dl className="figures">{children}</dl>;
}
