/** The zone that times are shown in: the browser's own, or UTC. */
export type Zone = 'local' | 'utc';

const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `Europe/Berlin (UTC+1)`; `UTC` where that is all there is to say. */
export function zoneName(zone: Zone, at = new Date()): string {
  const name = zone === 'utc' ? 'UTC' : localZone;
  const offset = offsetName(name, at);
  return name === 'UTC' || offset === 'UTC' ? 'UTC' : `${name} (${offset})`;
}

/** Short enough for a column's head: `UTC+1`. */
export function zoneShort(zone: Zone, at = new Date()): string {
  return zone === 'utc' ? 'UTC' : offsetName(localZone, at);
}

function offsetName(timeZone: string, at: Date): string {
  const part = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName');
  return (part?.value ?? 'UTC').replace('GMT', 'UTC').replace(/^UTC[+-]0$/, 'UTC');
}

const formats = new Map<string, Intl.DateTimeFormat>();

function format(kind: 'dateTime' | 'time', zone: Zone): Intl.DateTimeFormat {
  const key = `${kind} ${zone}`;
  let found = formats.get(key);
  if (found === undefined) {
    found = new Intl.DateTimeFormat('en-GB', {
      ...(kind === 'dateTime' ? { year: 'numeric', month: '2-digit', day: '2-digit' } : {}),
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      ...(zone === 'utc' ? { timeZone: 'UTC' } : {}),
    });
    formats.set(key, found);
  }
  return found;
}

/** `2026-11-30 07:12:45` in the zone. */
export function dateTime(instant: string | number | Date | undefined, zone: Zone): string {
  const date = instant === undefined ? undefined : new Date(instant);
  if (date === undefined || Number.isNaN(date.getTime())) {
    return '–';
  }
  const parts = Object.fromEntries(
    format('dateTime', zone)
      .formatToParts(date)
      .map(({ type, value }) => [type, value]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', string>;
  return `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minute}:${parts.second}`;
}

/** `07:12:45` in the zone. */
export function timeOfDay(instant: string | number | Date, zone: Zone): string {
  return format('time', zone).format(new Date(instant));
}

/** How long something took or takes: `0.8 s`, `12 s`, `3 min 5 s`, `2 h 10 min`, `5 d`. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 10) {
    return `${seconds.toFixed(1)} s`;
  }
  const whole = Math.round(seconds);
  if (whole < 60) {
    return `${whole} s`;
  }
  if (whole < 3600) {
    return joined(Math.floor(whole / 60), 'min', whole % 60, 's');
  }
  if (whole < 48 * 3600) {
    return joined(Math.floor(whole / 3600), 'h', Math.floor((whole % 3600) / 60), 'min');
  }
  return `${Math.floor(whole / 86_400)} d`;
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

/** How long ago: `just now`, `12 s ago`, `3 h ago`. */
export function ago(instant: string | number | Date, now: number): string {
  const passed = now - new Date(instant).getTime();
  if (passed < 1500) {
    return 'just now';
  }
  const seconds = Math.round(passed / 1000);
  if (seconds < 60) {
    return `${seconds} s ago`;
  }
  if (seconds < 3600) {
    return `${Math.floor(seconds / 60)} min ago`;
  }
  if (seconds < 48 * 3600) {
    return `${Math.floor(seconds / 3600)} h ago`;
  }
  return `${Math.floor(seconds / 86_400)} d ago`;
}
