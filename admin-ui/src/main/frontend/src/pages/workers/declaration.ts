import type { components } from '../../api/generated/calibration';
import type { Worker } from '../../api/views';

type Declaration = components['schemas']['WorkerDeclaration'];

/** What the form holds: texts, as they are typed. */
export interface WorkerFields {
  readonly role: NonNullable<Declaration['role']>;
  readonly url: string;
  readonly weight: string;
  /** Empty: no limit. */
  readonly maxInFlight: string;
  readonly probe: NonNullable<Declaration['probe']>;
  /** Empty: not known. */
  readonly revision: string;
}

/** What a worker has; where there is none yet, what most have. */
export function fieldsOf(worker: Worker | undefined): WorkerFields {
  return {
    role: worker?.role === 'prefill' ? 'prefill' : 'decode',
    url: worker?.url ?? '',
    weight: String(worker?.weight ?? 1),
    maxInFlight: worker?.maxInFlight === undefined ? '' : String(worker.maxInFlight),
    probe: worker?.probe === 'none' ? 'none' : 'http',
    revision: worker?.revision ?? '',
  };
}

/** The body that makes a worker what the form says: the whole of it, for what a declaration leaves out it takes away. */
export function declarationOf({ role, url, weight, maxInFlight, probe, revision }: WorkerFields): Declaration {
  return {
    role,
    url: url.trim(),
    weight: Number(weight),
    ...(maxInFlight.trim() === '' ? {} : { maxInFlight: Number(maxInFlight) }),
    probe,
    ...(revision.trim() === '' ? {} : { revision: revision.trim() }),
  };
}
