export interface Order {
  readonly column: string;
  readonly descending: boolean;
}

const collator = new Intl.Collator('en', { numeric: true });

/** Names with numbers in them in the order a person would count: `decoder-2` before `decoder-10`. */
export function byName(a: string, b: string): number {
  return collator.compare(a, b);
}

/** The rows in order; equal ones stay as they were, and those without a value come last whichever the direction. */
export function sorted<Row>(rows: readonly Row[], by: (row: Row) => number | string | undefined, descending: boolean): Row[] {
  return rows
    .map((row) => ({ row, key: by(row) }))
    .sort((a, b) => {
      if (a.key === undefined || b.key === undefined) {
        return Number(a.key === undefined) - Number(b.key === undefined);
      }
      const order = typeof a.key === 'number' && typeof b.key === 'number' ? a.key - b.key : byName(String(a.key), String(b.key));
      return descending ? -order : order;
    })
    .map(({ row }) => row);
}
