import { expect, it } from 'vitest';
import { baselines } from './labels';

const dot = (x: number, y: number) => ({ x, y, width: 60 });

it('puts labels above their dots where there is room', () => {
  expect(baselines([dot(100, 100), dot(200, 100), dot(100, 140)])).toEqual([89, 89, 129]);
});

it('puts a label elsewhere that would cover another', () => {
  const found = baselines([dot(100, 100), dot(104, 102), dot(98, 99), dot(101, 101)]);
  expect(found[0]).toBe(89);
  for (const [i, baseline] of found.entries()) {
    for (const other of found.slice(i + 1)) {
      expect(Math.abs(baseline - other)).toBeGreaterThanOrEqual(13);
    }
  }
});

it('gives up rather than put a label far from its dot', () => {
  expect(baselines(Array.from({ length: 6 }, () => dot(50, 50))).at(-1)).toBe(39);
});
