import { describe, expect, it } from 'vitest';
import { CallFailed, explain, problemOf } from './problem';

function failed(status: number): CallFailed {
  return new CallFailed(status, { type: 'about:blank', title: 'Title', detail: 'The pool is at generation 13, not 12.' });
}

describe('a failed call', () => {
  it('is explained in the service’s own words, with what to do', () => {
    for (const status of [0, 400, 401, 403, 404, 409, 429, 500, 503]) {
      const { title, detail, advice } = explain(failed(status));
      expect(title).not.toBe('');
      expect(detail).toBe('The pool is at generation 13, not 12.');
      expect(advice).not.toBe('');
    }
  });

  it('tells who was slower that nothing was changed', () => {
    expect(failed(409).isConflict).toBe(true);
    expect(explain(failed(409)).advice).toContain('Nothing was changed');
  });

  it('is worth another try only where the service is away', () => {
    expect([0, 429, 502, 503, 504].every((status) => failed(status).isAway)).toBe(true);
    expect([400, 401, 403, 404, 409, 500].some((status) => failed(status).isAway)).toBe(false);
  });

  it('is read from problem details', async () => {
    const body = { type: 'https://eldr.io/problems/invalid-input', title: 'The request is not valid', detail: 'url: must be http', field: 'url' };
    expect(await problemOf(Response.json(body, { status: 400 }))).toEqual(body);
  });

  it('has something to say also where a proxy answered with a page', async () => {
    const problem = await problemOf(new Response('<html>Bad gateway</html>', { status: 502, statusText: 'Bad Gateway' }));
    expect(problem.title).toBe('Bad Gateway');
    expect(problem.detail).toContain('502');
    expect((await problemOf(Response.json(null, { status: 500 }))).detail).toContain('500');
  });
});
