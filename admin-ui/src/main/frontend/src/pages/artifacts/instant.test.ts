import { expect, it } from 'vitest';
import { instantOf } from './instant';

it('reads the field in the zone that the page shows', () => {
  expect(instantOf('2026-11-30T07:12', 'utc')).toBe('2026-11-30T07:12:00.000Z');
  expect(instantOf('2026-11-30T07:12:45', 'local')).toBe(new Date(2026, 10, 30, 7, 12, 45).toISOString());
});

it('waits until the field is whole', () => {
  expect(instantOf('', 'utc')).toBeUndefined();
  expect(instantOf('2026-11-30', 'utc')).toBeUndefined();
  expect(instantOf('2026-13-30T07:12', 'utc')).toBeUndefined();
});
