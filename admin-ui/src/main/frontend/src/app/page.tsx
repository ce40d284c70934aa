import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { Empty, Failure } from '../ui/states';
import { StaleBanner } from './live-status';

interface PageProps {
  readonly title: string;
  /** Of what, where the page is one of a pool. */
  readonly pool?: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every page. Its head takes the focus on arrival, so that a screen reader says where one is. */
export function Page({ title, pool, about, actions, children }: PageProps) {
  const head = useRef<HTMLHeadingElement>(null);
  const whole = pool === undefined ? title : `${title} · ${pool}`;
  useEffect(() => {
    document.title = `${whole} · ELDR`;
    head.current?.focus({ preventScroll: true });
  }, [whole]);
  return (
    <div className="page">
      <StaleBanner />
      <header className="page-head">
        <div>
          <h1 ref={head} tabIndex={-1}>
            {title}
            {pool === undefined ? null : <span className="page-pool">{pool}</span>}
          </h1>
          {about === undefined ? null : <p className="page-about">{about}</p>}
        </div>
        {actions === undefined ? null : <div className="row">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export function PageFailure({ failure, onRetry }: { readonly failure: unknown; readonly onRetry: () => void }) {
  return (
    <Page title="Something went wrong">
      <Failure failure={failure} onRetry={onRetry} />
    </Page>
  );
}

export function PageMissing() {
  return (
    <Page title="Not found">
      <Empty title="There is no page at this address" action={<Link to="/">Go to the overview</Link>}>
        The address may be mistyped, or of another version of the dashboard.
      </Empty>
    </Page>
  );
}
