/** What a user may do, from least to most; each may do what those before it may. */
export const ROLES = ['viewer', 'operator', 'admin'] as const;

export type Role = (typeof ROLES)[number];

export function isRole(value: unknown): value is Role {
  return ROLES.some((role) => role === value);
}

export function mayActAs(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** Why an action is out of reach, for its disabled button; undefined where it is not. The services check it again. */
export function refusal(role: Role, needed: Role): string | undefined {
  return mayActAs(role, needed) ? undefined : `This needs the role ${needed}; yours is ${role}.`;
}
