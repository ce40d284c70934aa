import { expect, it } from 'vitest';
import { chosenRho, decidingBatch, hottestShare, reportOf } from './report';

const report = reportOf({
  representation: 'count',
  rho: { count: { fit: 0.78, heldOut: 0.77 }, binary: { fit: 0.9, heldOut: null } },
  heldOut: { shares: [0.2, 0.5, 0.3] },
  unionReduction: { batches: [{ batch: 8, reductionPct: 10 }, { batch: 32, reductionPct: 15 }, { batch: 16, reductionPct: 12 }] },
});

it('gives the figures that a verdict stands on', () => {
  expect(chosenRho(report)).toBe(0.77);
  expect(chosenRho(reportOf({ ...report, representation: 'binary' }))).toBe(0.9);
  expect(decidingBatch(report)?.batch).toBe(32);
  expect(hottestShare(report)).toBe(0.5);
});

it('knows nothing of a version that was imported', () => {
  expect(reportOf(undefined)).toBeUndefined();
  expect(reportOf([1])).toBeUndefined();
  expect(chosenRho(undefined)).toBeUndefined();
  expect(decidingBatch(reportOf({ unionReduction: null }))).toBeUndefined();
  expect(hottestShare(reportOf({ heldOut: null }))).toBeUndefined();
});
