import { expect, it } from 'vitest';
import { listed, runName, runsOf } from './study';

it('reads the runs as the simulator writes them', () => {
  const [run] = runsOf({
    runs: [
      {
        policy: 'eldr',
        rate: 20,
        tau: 0.044,
        decoders: 8,
        tpotMs: { p50: 22.6, p50Low: 22.1, p50High: 23, p99: 31, p99Low: null, p99High: null },
        meanUnion: 84.2,
        vsRoundRobinPct: { p50: -15.7, p50Low: -17, p50High: -14 },
        vsBestLoadBalancerPct: null,
        unstable: null,
      },
    ],
  });
  expect(run).toMatchObject({
    policy: 'eldr',
    p50: { mean: 22.6, low: 22.1, high: 23 },
    p99: { mean: 31, low: undefined, high: undefined },
    union: { mean: 84.2 },
    roundRobinP50: { mean: -15.7, low: -17, high: -14 },
    bestP50: undefined,
    unstable: undefined,
  });
  expect(run === undefined ? '' : runName(run)).toBe('eldr, tau 0.044');
});

it('keeps why a run means nothing', () => {
  const [run] = runsOf({ runs: [{ policy: 'random', rate: 80, decoders: 8, tau: null, tpotMs: { p50: null }, unstable: 'the backlog grows' }] });
  expect(run).toMatchObject({ unstable: 'the backlog grows', p50: undefined, tau: undefined });
});

it('finds no runs in what is no report', () => {
  expect(runsOf(undefined)).toEqual([]);
  expect(runsOf({ runs: 'none' })).toEqual([]);
});

it('reads lists as they are typed', () => {
  expect(listed('8, 16;32  auto')).toEqual([8, 16, 32, 'auto']);
  expect(listed(' ')).toEqual([]);
});
