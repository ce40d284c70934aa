import { describe, expect, it } from 'vitest';
import { bytes, change, decimal, integer, milliseconds, percent, plural, relativeChange } from './number';

describe('numbers', () => {
  it('shows a dash for what is not known', () => {
    for (const unknown of [undefined, null, NaN, Infinity]) {
      expect(decimal(unknown)).toBe('–');
      expect(percent(unknown)).toBe('–');
      expect(milliseconds(unknown)).toBe('–');
      expect(change(unknown)).toBe('–');
      expect(bytes(unknown)).toBe('–');
    }
  });

  it('keeps the digits that were asked for and sets thousands apart', () => {
    expect(decimal(22.649, 1)).toBe('22.6');
    expect(integer(18_342)).toBe('18,342');
  });

  it('writes a real minus, and none before zero', () => {
    expect(decimal(-1.94, 1)).toBe('−1.9');
    expect(decimal(-0.01, 1)).toBe('0.0');
  });

  it('drops the digit of long times', () => {
    expect(milliseconds(22.64)).toBe('22.6 ms');
    expect(milliseconds(123.4)).toBe('123 ms');
  });

  it('gives changes a sign, and zero both', () => {
    expect(change(-0.1567)).toBe('−15.7 %');
    expect(change(0.02)).toBe('+2.0 %');
    expect(change(0.0001)).toBe('±0.0 %');
  });

  it('compares only where that says something', () => {
    expect(relativeChange(22.6, 26.8)).toBeCloseTo(-0.1567, 3);
    expect(relativeChange(22.6, 0)).toBeUndefined();
    expect(relativeChange(undefined, 26.8)).toBeUndefined();
  });

  it('chooses the unit of a size and the number of a noun', () => {
    expect(bytes(812)).toBe('812 B');
    expect(bytes(824_461)).toBe('824.5 KB');
    expect(plural(1, 'decoder')).toBe('1 decoder');
    expect(plural(1200, 'decoder')).toBe('1,200 decoders');
  });
});
