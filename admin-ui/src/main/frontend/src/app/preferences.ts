import { useSyncExternalStore } from 'react';
import type { Zone } from '../format/time';

export type Theme = 'system' | 'light' | 'dark';

/** What this browser remembers of its user's taste. Where storage is forbidden it lasts as long as the page. */
class Preference<T extends string> {
  private value: T;
  private readonly listeners = new Set<() => void>();
  private readonly key: string;

  constructor(key: string, allowed: readonly T[], fallback: T) {
    this.key = key;
    const stored = read(key);
    this.value = allowed.find((value) => value === stored) ?? fallback;
  }

  readonly get = (): T => this.value;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  set(value: T): void {
    this.value = value;
    try {
      localStorage.setItem(this.key, value);
    } catch {
      // Private windows may forbid it.
    }
    this.listeners.forEach((listener) => listener());
  }
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export const theme = new Preference<Theme>('eldr.theme', ['system', 'light', 'dark'], 'system');
export const zone = new Preference<Zone>('eldr.zone', ['local', 'utc'], 'local');

export function useTheme(): Theme {
  return useSyncExternalStore(theme.subscribe, theme.get);
}

export function useZone(): Zone {
  return useSyncExternalStore(zone.subscribe, zone.get);
}

/** Puts the theme on the document, now and whenever it changes; without one the system's preference decides in CSS. */
export function applyTheme(): void {
  const apply = (): void => {
    const chosen = theme.get();
    if (chosen === 'system') {
      delete document.documentElement.dataset['theme'];
    } else {
      document.documentElement.dataset['theme'] = chosen;
    }
  };
  apply();
  theme.subscribe(apply);
}

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

/** Whether the page is dark now, for what is drawn on a canvas. */
export function useIsDark(): boolean {
  return useSyncExternalStore(
    (listener) => {
      systemIsDark.addEventListener('change', listener);
      const stop = theme.subscribe(listener);
      return () => {
        systemIsDark.removeEventListener('change', listener);
        stop();
      };
    },
    () => theme.get() === 'dark' || (theme.get() === 'system' && systemIsDark.matches),
  );
}
