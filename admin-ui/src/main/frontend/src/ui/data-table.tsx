import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type ReactNode, useMemo, useRef, useState } from 'react';
import { type Order, sorted } from './order';
import { useIsNarrow } from './use-narrow';

export interface Column<Row> {
  readonly id: string;
  readonly header: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** As in `grid-template-columns`; not by content, for each row is a grid of its own. */
  readonly width: string;
  /** The same on a phone, where it differs. */
  readonly narrowWidth?: string;
  readonly align?: 'end';
  /** Makes the column sortable. */
  readonly sortBy?: (row: Row) => number | string | undefined;
  /** Not shown on a phone. */
  readonly wideOnly?: boolean;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
  readonly empty: ReactNode;
  readonly initialOrder?: Order;
  readonly isSelected?: (row: Row) => boolean;
  /** In pixels; rows beyond scroll. */
  readonly maxHeight?: number;
  readonly rowHeight?: number;
  /** The narrowest that columns may become before the table scrolls sideways. */
  readonly minWidth?: number;
}

/** Below this many all rows are in the document, so that the browser's own search finds them. */
const VIRTUAL_FROM = 60;

/**
 * A table that stays quick with any number of rows: beyond a screenful only those in sight are in the document. The order
 * follows `initialOrder` and the heads of the columns.
 */
export function DataTable<Row>({
  label,
  columns: all,
  rows,
  rowKey,
  empty,
  initialOrder,
  isSelected,
  maxHeight = 460,
  rowHeight = 34,
  minWidth = 0,
}: DataTableProps<Row>) {
  const narrow = useIsNarrow();
  const columns = useMemo(() => (narrow ? all.filter((column) => column.wideOnly !== true) : all), [all, narrow]);
  const [order, setOrder] = useState(initialOrder);
  const by = columns.find((column) => column.id === order?.column)?.sortBy;
  const shown = by === undefined || order === undefined ? rows : sorted(rows, by, order.descending);
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = shown.length >= VIRTUAL_FROM;
  // eslint-disable-next-line react-hooks/incompatible-library -- its result is used in this component alone
  const window = useVirtualizer({
    count: virtual ? shown.length : 0,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 6,
  });
  const grid: CSSProperties = {
    gridTemplateColumns: columns.map((column) => (narrow ? (column.narrowWidth ?? column.width) : column.width)).join(' '),
    minWidth: narrow ? 0 : minWidth,
  };

  const row = (item: Row, index: number, style: CSSProperties) => (
    <div
      key={rowKey(item)}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected === undefined ? undefined : isSelected(item)}
      className="table-row"
      style={{ ...grid, ...style }}
    >
      {columns.map((column) => (
        <div key={column.id} role="cell" className={column.align === 'end' ? 'cell cell-end' : 'cell'}>
          {column.cell(item)}
        </div>
      ))}
    </div>
  );

  return (
    <div className="table-scroll" ref={scroll} style={{ maxHeight }} role="region" aria-label={`${label}, scrollable`} tabIndex={0}>
      <div className="table" role="table" aria-label={label} aria-rowcount={shown.length + 1}>
        <div role="rowgroup" className="table-head">
          <div role="row" aria-rowindex={1} className="table-row" style={grid}>
            {columns.map((column) => (
              <Head key={column.id} column={column} order={order} onOrder={setOrder} />
            ))}
          </div>
        </div>
        {shown.length === 0 ? null : virtual ? (
          <div role="rowgroup" className="table-virtual" style={{ height: window.getTotalSize() }}>
            {window.getVirtualItems().map(({ index, start }) => {
              const item = shown[index];
              return item === undefined
                ? null
                : row(item, index, { height: rowHeight, position: 'absolute', top: 0, left: 0, right: 0, transform: `translateY(${start}px)` });
            })}
          </div>
        ) : (
          <div role="rowgroup">{shown.map((item, index) => row(item, index, { minHeight: rowHeight }))}</div>
        )}
      </div>
      {shown.length === 0 ? <div className="table-empty">{empty}</div> : null}
    </div>
  );
}

function Head<Row>({ column, order, onOrder }: { readonly column: Column<Row>; readonly order: Order | undefined; readonly onOrder: (order: Order) => void }) {
  const active = order?.column === column.id;
  const className = column.align === 'end' ? 'cell cell-end' : 'cell';
  if (column.sortBy === undefined) {
    return (
      <div role="columnheader" className={className}>
        {column.header}
      </div>
    );
  }
  const descending = active ? !order.descending : column.align === 'end';
  return (
    <div role="columnheader" className={className} aria-sort={active ? (order.descending ? 'descending' : 'ascending') : 'none'}>
      <button type="button" className="sort" onClick={() => onOrder({ column: column.id, descending })}>
        {column.header}
        {active ? <span aria-hidden="true">{order.descending ? '↓' : '↑'}</span> : null}
      </button>
    </div>
  );
}
