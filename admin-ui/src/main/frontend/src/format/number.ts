/** How numbers are written everywhere: few digits, fixed width, a dash where nothing is known. */
export const UNKNOWN = '–';

type Maybe = number | null | undefined;

function known(value: Maybe): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

const fixed = new Map<number, Intl.NumberFormat>();

/** With so many digits after the point, thousands apart. */
export function decimal(value: Maybe, digits = 1): string {
  if (!known(value)) {
    return UNKNOWN;
  }
  let format = fixed.get(digits);
  if (format === undefined) {
    format = new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
    fixed.set(digits, format);
  }
  const text = format.format(value);
  // A minus as wide as a plus, and none before zero.
  return /^-[0.,]+$/.test(text) ? text.slice(1) : text.replace('-', '−');
}

export function integer(value: Maybe): string {
  return decimal(value, 0);
}

/** Time per output token: `22.6 ms`. */
export function milliseconds(value: Maybe): string {
  return known(value) ? `${decimal(value, value < 100 ? 1 : 0)} ms` : UNKNOWN;
}

/** A part of a whole, given 0 to 1: `12.5 %`. */
export function percent(share: Maybe, digits = 1): string {
  return known(share) ? `${decimal(share * 100, digits)} %` : UNKNOWN;
}

/** A change with its sign, given as a fraction: `−15.7 %`, with a minus sign as wide as the plus. */
export function change(fraction: Maybe, digits = 1): string {
  if (!known(fraction)) {
    return UNKNOWN;
  }
  const text = decimal(Math.abs(fraction) * 100, digits);
  const sign = Number(text.replaceAll(',', '')) === 0 ? '±' : fraction < 0 ? '−' : '+';
  return `${sign}${text} %`;
}

/** How much `value` differs from `reference`, as a fraction of it; undefined where that says nothing. */
export function relativeChange(value: Maybe, reference: Maybe): number | undefined {
  return known(value) && known(reference) && reference > 0 ? value / reference - 1 : undefined;
}

/** `1.2 MB`. */
export function bytes(value: Maybe): string {
  if (!known(value)) {
    return UNKNOWN;
  }
  const units = ['B', 'KB', 'MB', 'GB'];
  let size = value;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${decimal(size, unit === 0 ? 0 : 1)} ${units[unit] ?? ''}`;
}

/** `1 decoder`, `2 decoders`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${integer(count)} ${count === 1 ? one : many}`;
}
