/** One field that a change touched, by its path: `schedule.cron`. */
export interface FieldChange {
  readonly field: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What differs between two JSON values, field by field; objects are compared inside, lists as a whole. */
export function difference(before: unknown, after: unknown): readonly FieldChange[] {
  const left = flattened(before);
  const right = flattened(after);
  return [...new Set([...left.keys(), ...right.keys()])]
    .sort()
    .map((field) => ({ field, before: left.get(field), after: right.get(field) }))
    .filter((change) => change.before !== change.after);
}

function flattened(value: unknown, at = '', into = new Map<string, string>()): Map<string, string> {
  if (value === null || value === undefined) {
    return into;
  }
  if (typeof value === 'object' && !Array.isArray(value)) {
    for (const [name, inner] of Object.entries(value)) {
      flattened(inner, at === '' ? name : `${at}.${name}`, into);
    }
    return into;
  }
  return into.set(at === '' ? 'value' : at, typeof value === 'string' ? value : JSON.stringify(value));
}
