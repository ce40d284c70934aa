import { describe, expect, it } from 'vitest';
import { ago, dateTime, duration, zoneName, zoneShort } from './time';

describe('times', () => {
  it('shows an instant in UTC whatever the browser’s zone', () => {
    expect(dateTime('2026-11-30T23:59:58.700Z', 'utc')).toBe('2026-11-30 23:59:58');
    expect(dateTime('2026-11-30T00:00:00Z', 'utc')).toBe('2026-11-30 00:00:00');
    expect(zoneName('utc')).toBe('UTC');
    expect(zoneShort('utc')).toBe('UTC');
  });

  it('shows a dash for what is no time', () => {
    expect(dateTime(undefined, 'utc')).toBe('–');
    expect(dateTime('soon', 'utc')).toBe('–');
  });

  it('writes durations in two units at most', () => {
    expect(duration(840)).toBe('0.8 s');
    expect(duration(12_400)).toBe('12 s');
    expect(duration(185_000)).toBe('3 min 5 s');
    expect(duration(120_000)).toBe('2 min');
    expect(duration(7_800_000)).toBe('2 h 10 min');
    expect(duration(5 * 86_400_000)).toBe('5 d');
    expect(duration(-5)).toBe('0.0 s');
  });

  it('says how long ago something was', () => {
    const now = Date.parse('2026-11-30T12:00:00Z');
    expect(ago('2026-11-30T11:59:59Z', now)).toBe('just now');
    expect(ago('2026-11-30T11:59:20Z', now)).toBe('40 s ago');
    expect(ago('2026-11-30T09:00:00Z', now)).toBe('3 h ago');
    expect(ago('2026-11-26T12:00:00Z', now)).toBe('4 d ago');
  });
});
