import type { Pool } from '../../api/views';

/** What the form holds: texts, as they are typed. */
export interface RoutingFields {
  readonly policy: string;
  /** `auto` or a number. */
  readonly tau: string;
  /** Empty: as the policy has it. */
  readonly minCandidates: string;
  /** Empty: none. */
  readonly shadow: string;
  /** Empty: as the live band. */
  readonly shadowTau: string;
  readonly takesTurns: boolean;
  readonly first: string;
  readonly second: string;
  readonly minutes: string;
  readonly sparesHot: boolean;
  readonly factor: string;
  readonly minExcess: string;
  readonly kvCap: string;
}

/** What a pool has; where it has none, what a person would begin with. */
export function fieldsOf(pool: Pool): RoutingFields {
  const { shadow, switchback, hot } = pool;
  return {
    policy: pool.policy,
    tau: String(pool.tau),
    minCandidates: text(pool.minCandidates),
    shadow: shadow?.policy ?? '',
    shadowTau: text(shadow?.tau),
    takesTurns: switchback !== undefined,
    first: switchback?.policies?.[0] ?? 'eldr',
    second: switchback?.policies?.[1] ?? 'jsq',
    minutes: text(switchback?.minutes ?? 30),
    sparesHot: hot !== undefined,
    factor: text(hot?.factor ?? 1.5),
    minExcess: text(hot?.minExcess ?? 4),
    kvCap: text(hot?.kvCap ?? 0.95),
  };
}

/** The body that makes a pool what the form says: only what differs. */
export function changeOf(pool: Pool, to: RoutingFields): Readonly<Record<string, unknown>> {
  const wanted = settings(to);
  return Object.fromEntries(
    Object.entries(settings(fieldsOf(pool)))
      .filter(([name, before]) => JSON.stringify(wanted[name]) !== JSON.stringify(before))
      .map(([name]) => [name, wanted[name]]),
  );
}

function settings(fields: RoutingFields): Readonly<Record<string, unknown>> {
  return {
    policy: fields.policy,
    tau: value(fields.tau),
    minCandidates: fields.minCandidates.trim() === '' ? null : value(fields.minCandidates),
    shadow:
      fields.shadow === ''
        ? null
        : { policy: fields.shadow, ...(fields.shadowTau.trim() === '' ? {} : { tau: value(fields.shadowTau) }) },
    switchback: fields.takesTurns ? { policies: [fields.first, fields.second], minutes: value(fields.minutes) } : null,
    hot: fields.sparesHot
      ? { factor: value(fields.factor), minExcess: value(fields.minExcess), kvCap: value(fields.kvCap) }
      : null,
  };
}

/** A number; what is none goes to the service as it was typed, which says what it may be. */
function value(typed: string): number | string {
  const trimmed = typed.trim();
  const number = Number(trimmed);
  return trimmed === '' || Number.isNaN(number) ? trimmed : number;
}

function text(number: number | undefined): string {
  return number === undefined ? '' : String(number);
}
