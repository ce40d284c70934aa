import { expect, it } from 'vitest';
import { twins } from './twins';

const demo = { name: 'demo', model: 'm', policy: 'eldr' };
const jsq = { name: 'demo-jsq', model: 'm', policy: 'jsq' };

it('finds a pool and the twin that is named after it', () => {
  expect(twins([jsq, demo])).toEqual({ locality: 'demo', reference: 'demo-jsq' });
});

it('takes the one that routes by locality for locality', () => {
  expect(twins([{ ...demo, policy: 'jsq' }, { ...jsq, name: 'demo-new', policy: 'eldr' }])).toEqual({ locality: 'demo-new', reference: 'demo' });
});

it('compares no pools of different models, and none alone', () => {
  expect(twins([demo, { ...jsq, model: 'other' }])).toBeUndefined();
  expect(twins([demo])).toBeUndefined();
  expect(twins([])).toBeUndefined();
});
