import { describe, expect, it } from 'vitest';
import { isRole, mayActAs, refusal, ROLES } from './permission';

describe('roles', () => {
  it('may do what those before them may', () => {
    const allowed = ROLES.map((role) => ROLES.map((needed) => mayActAs(role, needed)));
    expect(allowed).toEqual([
      [true, false, false],
      [true, true, false],
      [true, true, true],
    ]);
  });

  it('say why an action is out of reach', () => {
    expect(refusal('viewer', 'operator')).toBe('This needs the role operator; yours is viewer.');
    expect(refusal('admin', 'operator')).toBeUndefined();
  });

  it('are no other words', () => {
    expect(isRole('admin')).toBe(true);
    expect(isRole('client')).toBe(false);
    expect(isRole(undefined)).toBe(false);
  });
});
