/** How old what is on the screen may be before the page says so, in milliseconds. */
export const STALE_AFTER = 10_000;
/** From here on it is worth showing that the next state is late. */
export const LATE_AFTER = 3_500;

export type Freshness =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'live'; readonly age: number }
  | { readonly kind: 'late'; readonly age: number }
  | { readonly kind: 'stale'; readonly age: number };

/**
 * @param receivedAt when the last state came in, by this browser's clock: that of the server may go differently
 */
export function freshness(receivedAt: number | undefined, now: number): Freshness {
  if (receivedAt === undefined) {
    return { kind: 'waiting' };
  }
  const age = Math.max(0, now - receivedAt);
  if (age > STALE_AFTER) {
    return { kind: 'stale', age };
  }
  return { kind: age > LATE_AFTER ? 'late' : 'live', age };
}
