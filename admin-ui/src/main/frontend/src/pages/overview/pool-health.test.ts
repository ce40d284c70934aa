import { describe, expect, it } from 'vitest';
import type { DecoderState, PrefillerState } from '../../api/types';
import { healthOf } from './pool-health';

const DECODER: DecoderState = { id: 'd', url: 'http://d', state: 'READY', readyOn: 1, borrowed: false, weight: 1, inFlight: 0, load: 0, share: 0 };
const PREFILLER: PrefillerState = { id: 'p', url: 'http://p', state: 'READY', readyOn: 1, inFlight: 0 };
const POOL = { readyDecoders: 2, decoders: [DECODER, DECODER], prefillers: [PREFILLER, PREFILLER], degraded: false };
const EJECTED: PrefillerState = { ...PREFILLER, state: 'EJECTED', readyOn: 0 };

describe('the health of a pool', () => {
  it('is that of its decoders while no prefill worker is missing', () => {
    expect(healthOf(POOL)).toEqual(['good', '2 of 2 decoders ready']);
    expect(healthOf({ ...POOL, prefillers: [] })).toEqual(['good', '2 of 2 decoders ready']);
    expect(healthOf({ ...POOL, readyDecoders: 1 })).toEqual(['warn', '1 of 2 decoders ready']);
    expect(healthOf({ ...POOL, readyDecoders: 0 })).toEqual(['bad', '0 of 2 decoders ready']);
    expect(healthOf({ ...POOL, degraded: true })).toEqual(['warn', 'Degraded · 2 of 2 decoders ready']);
  });

  it('names prefill workers where one is missing, and is bad where all are', () => {
    expect(healthOf({ ...POOL, prefillers: [PREFILLER, EJECTED] })).toEqual(['warn', '2 of 2 decoders, 1 of 2 prefillers ready']);
    expect(healthOf({ ...POOL, prefillers: [EJECTED] })).toEqual(['bad', '2 of 2 decoders, 0 of 1 prefiller ready']);
  });

  it('warns where one router of several does without a prefill worker', () => {
    expect(healthOf({ ...POOL, prefillers: [{ ...EJECTED, readyOn: 1 }] })[0]).toBe('warn');
  });
});
