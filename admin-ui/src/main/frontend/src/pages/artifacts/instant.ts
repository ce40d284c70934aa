import type { Zone } from '../../format/time';

/** What a field for date and time holds, read in the zone that the page shows; undefined until it is whole. */
export function instantOf(text: string, zone: Zone): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/.test(text)) {
    return undefined;
  }
  const date = new Date(zone === 'utc' ? `${text}Z` : text);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
