/** Problem details (RFC 9457) as every service of ELDR answers with. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  readonly field?: string;
}

/** A call that did not end well. `status` is 0 where nothing answered at all. */
export class CallFailed extends Error {
  readonly status: number;
  readonly problem: Problem;

  constructor(status: number, problem: Problem) {
    super(problem.detail || problem.title);
    this.name = 'CallFailed';
    this.status = status;
    this.problem = problem;
  }

  /** Whether somebody else changed the same thing first. */
  get isConflict(): boolean {
    return this.status === 409;
  }

  /** Whether the same call may succeed later, because a service is away or busy. */
  get isAway(): boolean {
    return this.status === 0 || this.status === 429 || this.status === 502 || this.status === 503 || this.status === 504;
  }
}

/** What to tell a person about a failure, and what to do about it. */
export interface Explanation {
  readonly title: string;
  readonly detail: string;
  readonly advice: string;
}

export function explain(failure: unknown): Explanation {
  if (!(failure instanceof CallFailed)) {
    return {
      title: 'This page failed',
      detail: failure instanceof Error ? failure.message : String(failure),
      advice: 'Reload the page. If it happens again, tell who runs this dashboard.',
    };
  }
  const detail = failure.problem.detail || failure.problem.title;
  switch (failure.status) {
    case 0:
      return {
        title: 'The dashboard does not answer',
        detail,
        advice: 'Check that admin-ui runs and that you can reach it. The page goes on by itself once it answers.',
      };
    case 401:
      return { title: 'Your session is over', detail, advice: 'Log in again. Nothing was changed.' };
    case 403:
      return { title: 'Your role does not allow this', detail, advice: 'Ask an admin to do it, or to change your role.' };
    case 404:
      return { title: 'Not found', detail, advice: 'It may have been deleted since. Go back to the list.' };
    case 409:
      return {
        title: 'Somebody was faster, or it does not go together',
        detail,
        advice: 'Nothing was changed by you. Look at the present state and decide again.',
      };
    case 400:
    case 422:
      return { title: 'The input was refused', detail, advice: 'Correct it and try again. Nothing was changed.' };
    case 429:
      return { title: 'Too many at a time', detail, advice: 'Wait a moment and try again.' };
    default:
      return failure.isAway
        ? { title: 'A service is away', detail, advice: 'The page tries again by itself. The rest goes on.' }
        : { title: 'The service failed', detail, advice: 'Its log says why. Try again later.' };
  }
}

/** Reads the problem out of a refusal, whatever wrote it: a proxy in between may answer with a page of its own. */
export async function problemOf(response: Response): Promise<Problem> {
  const fallback: Problem = {
    type: 'about:blank',
    title: response.statusText || `HTTP ${response.status}`,
    detail: `The answer was HTTP ${response.status}.`,
  };
  try {
    const body: unknown = await response.json();
    if (typeof body !== 'object' || body === null) {
      return fallback;
    }
    const said = body as Record<string, unknown>;
    return {
      type: text(said['type']) ?? fallback.type,
      title: text(said['title']) ?? fallback.title,
      detail: text(said['detail']) ?? text(said['title']) ?? fallback.detail,
      ...(text(said['field']) === undefined ? {} : { field: text(said['field']) ?? '' }),
    };
  } catch {
    return fallback;
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
