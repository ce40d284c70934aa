/**
 * Colours for what is drawn. Canvases do not know CSS variables, so these are resolved through an element that nobody sees.
 */
let probe: HTMLElement | undefined;
/** What was resolved in the theme that is on: asking the browser costs a layout. */
const resolved = new Map<string, string>();
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

/** What a variable of `tokens.css` stands for in the present theme. */
export function token(name: `--${string}`): string {
  const key = `${document.documentElement.dataset['theme'] ?? (systemIsDark.matches ? 'dark' : 'light')} ${name}`;
  let colour = resolved.get(key);
  if (colour === undefined) {
    colour = resolve(name);
    resolved.set(key, colour);
  }
  return colour;
}

function resolve(name: string): string {
  if (probe === undefined) {
    probe = document.createElement('span');
    probe.hidden = true;
    document.body.append(probe);
  }
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
}

/**
 * Hue, and how much lighter or darker than the middle. Neighbours differ in both, so that they stay apart for people with
 * any common kind of colour blindness.
 */
const PALETTE: readonly (readonly [hue: number, lightness: number])[] = [
  [262, -0.04],
  [62, 0.1],
  [168, 0.0],
  [338, -0.02],
  [98, 0.16],
  [228, 0.12],
  [28, -0.08],
  [300, 0.06],
];

const GOLDEN_ANGLE = 137.508;

/** The colour of a decoder by its place in its pool. Beyond eight, hues repeat in other shades: hovering tells them apart. */
export function categorical(index: number, dark: boolean): string {
  const chosen = PALETTE[index];
  const [hue, shift] = chosen ?? [(index * GOLDEN_ANGLE) % 360, ((index % 3) - 1) * 0.1];
  const lightness = (dark ? 0.72 : 0.6) + shift * (dark ? 0.7 : 1);
  return `oklch(${lightness.toFixed(3)} 0.135 ${hue.toFixed(1)})`;
}
