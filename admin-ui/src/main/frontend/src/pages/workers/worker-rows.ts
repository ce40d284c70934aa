import type { DecoderState, PrefillerState } from '../../api/types';
import type { Worker } from '../../api/views';
import { plural } from '../../format/number';
import type { Tone } from '../../ui/badge';

export type Role = 'decode' | 'prefill';

/** A worker as the routers see it, whatever it does. */
export type Seen = PrefillerState & { readonly weight?: number };

/** A worker as it is meant to be and, where a router tells of it, as routers see it. */
export interface Row {
  readonly slot: string;
  readonly role: Role;
  readonly declared: Worker | undefined;
  readonly seen: Seen | undefined;
}

export const rowKey = ({ role, slot }: Row): string => `${role}/${slot}`;

/** Those that are registered, then those that routers alone know. */
export function merged(declared: readonly Worker[], decoders: readonly DecoderState[], prefillers: readonly PrefillerState[]): readonly Row[] {
  const seen = new Map<string, Row>();
  const add = (role: Role) => (worker: Seen): void => {
    const row: Row = { slot: worker.id, role, declared: undefined, seen: worker };
    seen.set(rowKey(row), row);
  };
  decoders.forEach(add('decode'));
  prefillers.forEach(add('prefill'));
  const rows = declared.map((worker): Row => {
    const row: Row = { slot: worker.slot, role: worker.role === 'prefill' ? 'prefill' : 'decode', declared: worker, seen: undefined };
    const known = seen.get(rowKey(row))?.seen;
    seen.delete(rowKey(row));
    return { ...row, seen: known };
  });
  return [...rows, ...seen.values()];
}

type State = Seen['state'];

const STATES: Readonly<Record<State, readonly [Tone, string]>> = {
  EJECTED: ['bad', 'Ejected: it failed; the router tries it again by itself'],
  DRAINING: ['warn', 'Draining: finishes what it runs'],
  PENDING: ['neutral', 'Pending: not seen healthy yet, or of another model revision'],
  GONE: ['neutral', 'Gone: finishes what it runs'],
  READY: ['good', 'Ready'],
};
const WORST_FIRST = Object.keys(STATES) as readonly State[];

export interface Sighting {
  readonly tone: Tone;
  readonly text: string;
  /** Which router sees what, where they differ. */
  readonly detail?: string;
}

/** How the routers see a worker: the worst of it, and who sees what where they differ. */
export function sighting(seen: Seen): Sighting {
  const [tone, text] = STATES[seen.state];
  if (seen.byRouter !== undefined) {
    const routers = Object.entries(seen.byRouter);
    const shares = WORST_FIRST.flatMap((state) => {
      const there = routers.filter(([, other]) => other === state).map(([instance]) => instance);
      return there.length === 0 ? [] : [`${state.toLowerCase()} on ${there.length === 1 ? there[0] : plural(there.length, 'router')}`];
    });
    return { tone, text: capitalised(shares.join(', ')), detail: routers.map(([instance, state]) => `${instance}: ${state.toLowerCase()}`).join('\n') };
  }
  return seen.state === 'DRAINING' && seen.inFlight === 0 ? { tone: 'neutral', text: 'Drained: nothing runs there' } : { tone, text };
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
