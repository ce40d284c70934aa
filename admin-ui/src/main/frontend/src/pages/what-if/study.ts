import { decimal } from '../../format/number';

/** A figure over the seeds, with the ends of its 95 % interval where it has one. */
export interface Estimate {
  readonly mean: number;
  readonly low: number | undefined;
  readonly high: number | undefined;
}

/** One policy under one load, as the simulator reports it. */
export interface Run {
  readonly policy: string;
  readonly rate: number;
  readonly decoders: number;
  readonly tau: number | undefined;
  /** Why its figures mean nothing; undefined where they do. */
  readonly unstable: string | undefined;
  readonly p50: Estimate | undefined;
  readonly p99: Estimate | undefined;
  readonly union: Estimate | undefined;
  readonly band: Estimate | undefined;
  readonly spill: Estimate | undefined;
  readonly maxOverMean: Estimate | undefined;
  /** Changes of P50 and P99 against round robin and against the best load balancer, in percent. */
  readonly roundRobinP50: Estimate | undefined;
  readonly roundRobinP99: Estimate | undefined;
  readonly bestP50: Estimate | undefined;
  readonly bestP99: Estimate | undefined;
}

type Json = Readonly<Record<string, unknown>>;

/** The runs of a stored report; none where it is not of the form that the simulator writes. */
export function runsOf(report: unknown): readonly Run[] {
  const runs = object(report)['runs'];
  return Array.isArray(runs) ? runs.map((run) => read(object(run))) : [];
}

function read(run: Json): Run {
  const tpot = object(run['tpotMs']);
  const roundRobin = object(run['vsRoundRobinPct']);
  const best = object(run['vsBestLoadBalancerPct']);
  return {
    policy: typeof run['policy'] === 'string' ? run['policy'] : '',
    rate: number(run['rate']) ?? 0,
    decoders: number(run['decoders']) ?? 0,
    tau: number(run['tau']),
    unstable: typeof run['unstable'] === 'string' ? run['unstable'] : undefined,
    p50: estimate(tpot, 'p50'),
    p99: estimate(tpot, 'p99'),
    union: estimate(run, 'meanUnion'),
    band: estimate(run, 'meanBand'),
    spill: estimate(run, 'spill'),
    maxOverMean: estimate(run, 'maxOverMeanLoad'),
    roundRobinP50: estimate(roundRobin, 'p50'),
    roundRobinP99: estimate(roundRobin, 'p99'),
    bestP50: estimate(best, 'p50'),
    bestP99: estimate(best, 'p99'),
  };
}

function estimate(of: Json, name: string): Estimate | undefined {
  const mean = number(of[name]);
  return mean === undefined ? undefined : { mean, low: number(of[`${name}Low`]), high: number(of[`${name}High`]) };
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** `eldr, tau 0.044`. */
export function runName(run: Run): string {
  return run.tau === undefined ? run.policy : `${run.policy}, tau ${decimal(run.tau, 3)}`;
}

/** Numbers as they were typed, apart by commas or blanks; what is no number stays text, so that the service names it. */
export function listed(text: string): readonly (number | string)[] {
  return text
    .split(/[\s,;]+/)
    .filter((word) => word !== '')
    .map((word) => (Number.isFinite(Number(word)) ? Number(word) : word));
}
