import { expect, it } from 'vitest';
import { type Choice, options } from './refit-options';

const untouched: Choice = { representation: 'auto', mask: 'auto', layers: '', holdOut: '', seed: '', force: false };

it('sends nothing that was not chosen', () => {
  expect(options(untouched)).toEqual({});
});

it('sends what was chosen', () => {
  expect(options({ representation: 'count', mask: 'list', layers: '3, 7;12', holdOut: '0.3', seed: '5', force: true })).toEqual({
    representation: 'count',
    mask: [3, 7, 12],
    holdOut: 0.3,
    seed: 5,
    force: true,
  });
  expect(options({ ...untouched, mask: 'all' })).toEqual({ mask: 'all' });
});

it('leaves it to the service to refuse what is no number', () => {
  expect(options({ ...untouched, holdOut: 'much' })).toEqual({ holdOut: 'much' });
});
