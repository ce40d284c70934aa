/** Drawn on a grid of 16; strokes take the colour of the text. */
const PATHS = {
  overview: 'M2.5 13.5v-5M6.2 13.5v-11M9.8 13.5v-7M13.5 13.5V5',
  clusters: 'M5 6.5a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4ZM11.6 9.2a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6ZM5.4 13.9a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  artifacts: 'M8 1.9 13.6 5v6L8 14.1 2.4 11V5L8 1.9ZM2.6 5.1 8 8l5.4-2.9M8 8v6',
  refits: 'M13.5 8A5.5 5.5 0 0 1 3.6 11.3M2.5 8a5.5 5.5 0 0 1 9.9-3.3M12.6 1.9v3h-3M3.4 14.1v-3h3',
  whatif: 'M2 12.5c3.2 0 3.2-8.8 6-8.8s2.8 8.8 6 8.8M8 1.8v12.4',
  workers: 'M2.5 3h11v4.2h-11zM2.5 8.8h11V13h-11zM5 5.1h.01M5 10.9h.01',
  routers: 'M8 9.7V14M8 9.7 4.2 6M8 9.7 11.8 6M8 9.7V6M2.6 5.9a1.6 1.6 0 1 0 0-3.2M13.4 5.9a1.6 1.6 0 1 1 0-3.2M8 5.4a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6Z',
  audit: 'M4 1.9h8v12.2H4zM6.2 5h3.6M6.2 8h3.6M6.2 11h2',
  close: 'm4 4 8 8M12 4l-8 8',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  sun: 'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM8 1.4v1.4M8 13.2v1.4M1.4 8h1.4M13.2 8h1.4M3.3 3.3l1 1M11.7 11.7l1 1M12.7 3.3l-1 1M4.3 11.7l-1 1',
  moon: 'M13.4 9.6A5.8 5.8 0 0 1 6.4 2.6a5.8 5.8 0 1 0 7 7Z',
  system: 'M2 2.8h12v8.4H2zM5.5 13.8h5M8 11.2v2.6',
  logout: 'M6.5 13.5h-4v-11h4M10.2 11 13.2 8l-3-3M13 8H6',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  check: 'm3 8.5 3.2 3.2L13 4.8',
  warning: 'M8 2.2 14.4 13.4H1.6L8 2.2ZM8 6.5v3.2M8 11.5h.01',
  down: 'm4 6 4 4 4-4',
  right: 'm6 4 4 4-4 4',
  search: 'M7 11.6A4.6 4.6 0 1 0 7 2.4a4.6 4.6 0 0 0 0 9.2ZM10.4 10.4 14 14',
  pin: 'M9.6 1.9 14 6.3l-1.7.5-2.6 2.6-.2 2.9-5.9-5.9 2.9-.2 2.6-2.6.5-1.7ZM6.5 9.4 2.2 13.8',
  external: 'M6.5 3h-4v10.5H13v-4M9.2 2.5h4.3v4.3M13.2 2.8 7.5 8.5',
  plus: 'M8 3v10M3 8h10',
  table: 'M2.5 3h11v10h-11zM2.5 6.4h11M2.5 9.7h11M6.5 3v10',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
