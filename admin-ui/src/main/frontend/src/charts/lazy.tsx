import { type ComponentProps, lazy, Suspense } from 'react';

const Loaded = lazy(() => import('./series-chart').then((module) => ({ default: module.SeriesChart })));

/** A chart whose library comes when the page is already there. */
export function SeriesChart(props: ComponentProps<typeof Loaded>) {
  return (
    <Suspense fallback={<div className="chart skeleton" aria-busy="true" style={{ height: props.height ?? 150 }} />}>
      <Loaded {...props} />
    </Suspense>
  );
}
