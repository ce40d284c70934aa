import { expect, it } from 'vitest';
import { byName, sorted } from './order';

it('orders names as a person counts', () => {
  expect(['decode-10', 'decode-2', 'decode-1'].sort(byName)).toEqual(['decode-1', 'decode-2', 'decode-10']);
});

it('keeps what is unknown last in both directions, and equal rows as they were', () => {
  const rows = [{ id: 'a', load: 2 }, { id: 'b' }, { id: 'c', load: 3 }, { id: 'd', load: 2 }];
  const ids = (descending: boolean) => sorted(rows, (row) => row.load, descending).map((row) => row.id);
  expect(ids(false)).toEqual(['a', 'd', 'c', 'b']);
  expect(ids(true)).toEqual(['c', 'a', 'd', 'b']);
});
