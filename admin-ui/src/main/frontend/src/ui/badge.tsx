import type { ReactNode } from 'react';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'accent';

export function Badge({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}

/** A state with a dot whose shape differs by tone as well, for those who do not see the colour. */
export function Status({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className="status">
      <Dot tone={tone} />
      {children}
    </span>
  );
}

export function Dot({ tone }: { readonly tone: Tone }) {
  return <span className={`dot dot-${tone}`} aria-hidden="true" />;
}
