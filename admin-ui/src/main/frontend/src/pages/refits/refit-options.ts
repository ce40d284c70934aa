import type { RefitOptions } from '../../api/views';

/** What the form holds: text as it was typed. */
export interface Choice {
  readonly representation: NonNullable<RefitOptions['representation']>;
  readonly mask: 'auto' | 'all' | 'list';
  readonly layers: string;
  readonly holdOut: string;
  readonly seed: string;
  readonly force: boolean;
}

/** The call's body: only what differs from the defaults. What is no number goes out as it is, so that the service names it. */
export function options(choice: Choice): RefitOptions {
  const body: Record<string, unknown> = {};
  if (choice.representation !== 'auto') {
    body['representation'] = choice.representation;
  }
  if (choice.mask === 'all') {
    body['mask'] = 'all';
  }
  if (choice.mask === 'list') {
    body['mask'] = choice.layers
      .split(/[\s,;]+/)
      .filter((layer) => layer !== '')
      .map(number);
  }
  if (choice.holdOut.trim() !== '') {
    body['holdOut'] = number(choice.holdOut);
  }
  if (choice.seed.trim() !== '') {
    body['seed'] = number(choice.seed);
  }
  if (choice.force) {
    body['force'] = true;
  }
  return body;
}

function number(text: string): number | string {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}
