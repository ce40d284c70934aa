import type { Refit } from '../../api/views';
import { percent } from '../../format/number';
import { Status, type Tone } from '../../ui/badge';

const STATES: Readonly<Record<Refit['state'], readonly [Tone, string]>> = {
  QUEUED: ['neutral', 'Queued'],
  RUNNING: ['accent', 'Running'],
  SUCCEEDED: ['good', 'Succeeded'],
  REJECTED: ['warn', 'Rejected'],
  FAILED: ['bad', 'Failed'],
  CANCELLED: ['neutral', 'Cancelled'],
};

export function RefitStatus({ refit }: { readonly refit: Refit }) {
  const [tone, text] = STATES[refit.state];
  return <Status tone={tone}>{text}</Status>;
}

/** The stages in the order in which a refit goes through them. */
export const STAGES: readonly (readonly [stage: string, name: string])[] = [
  ['read', 'Read samples'],
  ['split', 'Split'],
  ['mask', 'Choose representation and mask'],
  ['cluster', 'Fit clusters'],
  ['measure', 'Measure'],
  ['gate', 'Gate'],
];

export function stageName(stage: string | undefined): string {
  return STAGES.find(([known]) => known === stage)?.[1] ?? stage ?? 'Waiting';
}

export function Progress({ refit }: { readonly refit: Refit }) {
  return (
    <span className="progress">
      <progress max={1} value={refit.progress} aria-label={`Refit ${refit.id}`} />
      <span className="nowrap">{percent(refit.progress, 0)}</span>
    </span>
  );
}
