import { expect, it } from 'vitest';
import { difference } from './difference';

it('names each field that differs by its path, and no other', () => {
  const before = { tau: 'auto', schedule: { cron: '0 0 3 * * *', onDrift: true }, aliases: ['a'] };
  const after = { tau: 0.1, schedule: { cron: '0 0 3 * * *', onDrift: false }, aliases: ['a', 'b'] };
  expect(difference(before, after)).toEqual([
    { field: 'aliases', before: '["a"]', after: '["a","b"]' },
    { field: 'schedule.onDrift', before: 'true', after: 'false' },
    { field: 'tau', before: 'auto', after: '0.1' },
  ]);
});

it('shows all of what was made or removed', () => {
  expect(difference(undefined, { slot: 'd-1' })).toEqual([{ field: 'slot', before: undefined, after: 'd-1' }]);
  expect(difference({ slot: 'd-1' }, null)).toEqual([{ field: 'slot', before: 'd-1', after: undefined }]);
  expect(difference({ a: 1 }, { a: 1 })).toEqual([]);
});

it('keeps markup as text', () => {
  expect(difference(null, { reason: '<img src=x>' })[0]?.after).toBe('<img src=x>');
});
