import { useMemo, useRef, useState } from 'react';
import type { DecoderState, PoolState } from '../../api/types';
import { categorical } from '../../charts/colours';
import { useIsDark } from '../../app/preferences';
import { decimal, integer, milliseconds, percent, plural } from '../../format/number';
import type { Tone } from '../../ui/badge';
import { type Column, DataTable } from '../../ui/data-table';
import { SearchField } from '../../ui/field';
import { byName } from '../../ui/order';
import { Empty } from '../../ui/states';
import { LoadStrip } from './load-strip';
import { useSettledOrder } from './settled-order';

const SEARCH_FROM = 12;

export const STATE_TONE: Readonly<Record<DecoderState['state'], Tone>> = {
  READY: 'good',
  PENDING: 'neutral',
  DRAINING: 'warn',
  EJECTED: 'bad',
  GONE: 'neutral',
};

/** Every decoder's load, the busiest first. */
export function DecoderTable({ pool }: { readonly pool: PoolState }) {
  const [text, setText] = useState('');
  const dark = useIsDark();
  const table = useRef<HTMLDivElement>(null);
  const ordered = useSettledOrder(pool.decoders, table);
  const wanted = text.trim().toLowerCase();
  const shown =
    wanted === ''
      ? ordered
      : ordered.filter((decoder) => `${decoder.id} ${decoder.state} ${decoder.url}`.toLowerCase().includes(wanted));
  const most = Math.max(1, ...pool.decoders.map((decoder) => Math.max(decoder.load, decoder.inFlight)));
  const ids = pool.decoders.map((decoder) => decoder.id).join('\n');
  const colours = useMemo(
    () => new Map([...ids.split('\n')].sort(byName).map((id, i) => [id, categorical(i, dark)])),
    [ids, dark],
  );

  const columns: readonly Column<DecoderState>[] = [
    {
      id: 'decoder',
      header: 'Decoder',
      width: 'minmax(106px, 1.4fr)',
      sortBy: (decoder) => decoder.id,
      cell: (decoder) => (
        <span className="decoder" title={decoder.url}>
          <span className="swatch" style={{ background: colours.get(decoder.id) }} />
          <span className="clip">{decoder.id}</span>
          {decoder.state === 'READY' ? null : <span className={`state-word tone-${STATE_TONE[decoder.state]}`}>{decoder.state.toLowerCase()}</span>}
        </span>
      ),
    },
    {
      id: 'load',
      header: 'Load',
      width: 'minmax(64px, 1.1fr)',
      sortBy: (decoder) => decoder.load,
      cell: (decoder) => (
        <span className="load" title={`${integer(decoder.inFlight)} in flight, ${decimal(decoder.waiting, 0)} queued by the engine`}>
          <span className="load-track">
            <span className="load-bar" style={{ transform: `scaleX(${(decoder.load / most).toFixed(4)})`, background: colours.get(decoder.id) }} />
          </span>
          <span className="load-number">{decimal(decoder.load, 0)}</span>
        </span>
      ),
    },
    { id: 'share', header: 'Share', width: '50px', align: 'end', sortBy: (decoder) => decoder.share, cell: (decoder) => percent(decoder.share) },
    { id: 'tpot', header: 'TPOT', width: '58px', align: 'end', sortBy: (decoder) => decoder.tpotMs, cell: (decoder) => milliseconds(decoder.tpotMs) },
    {
      id: 'experts',
      header: <span title="Distinct experts that a decode step loads in a layer">Experts</span>,
      width: '52px',
      align: 'end',
      wideOnly: true,
      sortBy: (decoder) => decoder.activeExperts,
      cell: (decoder) => decimal(decoder.activeExperts, 1),
    },
    { id: 'kv', header: <span title="How full its KV cache is">KV</span>, width: '38px', align: 'end', wideOnly: true, sortBy: (decoder) => decoder.kvUse, cell: (decoder) => percent(decoder.kvUse, 0) },
  ];

  return (
    <div ref={table}>
      {pool.decoders.length >= SEARCH_FROM ? (
        <div className="card-body decoder-tools">
          <SearchField label="Find a decoder" value={text} onChange={setText} />
          <span className="faint">
            {wanted === '' ? plural(pool.decoders.length, 'decoder') : `${integer(shown.length)} of ${plural(pool.decoders.length, 'decoder')}`}
          </span>
        </div>
      ) : null}
      {pool.decoders.length >= SEARCH_FROM ? <LoadStrip decoders={pool.decoders} /> : null}
      <DataTable
        label={`Decoders of ${pool.name}`}
        columns={columns}
        rows={shown}
        rowKey={(decoder) => decoder.id}
        rowHeight={30}
        maxHeight={340}
        empty={
          wanted === '' ? (
            <Empty title="No decoder yet">Register one on the Workers page, or name the pool’s EndpointSlices in the router’s configuration.</Empty>
          ) : (
            <Empty title="No decoder has this in its name, state or address" />
          )
        }
      />
    </div>
  );
}
