import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { registry } from '../../api/queries';
import type { Activation } from '../../api/views';
import { useZone } from '../../app/preferences';
import { dateTime, zoneShort } from '../../format/time';
import { Badge } from '../../ui/badge';
import { Card } from '../../ui/card';
import { type Column, DataTable } from '../../ui/data-table';
import { TextField } from '../../ui/field';
import { Empty, Failure, Loading, Note } from '../../ui/states';
import { instantOf } from './instant';

/** What was active when, and who decided it. */
export function History({ pool, history }: { readonly pool: string; readonly history: UseQueryResult<readonly Activation[]> }) {
  const zone = useZone();
  const [text, setText] = useState('');
  const at = instantOf(text, zone);
  return (
    <Card
      title="History"
      about="Every activation, newest first. It is only ever added to."
      actions={<TextField label={`Active at (${zoneShort(zone)})`} type="datetime-local" value={text} onChange={setText} />}
      flush
    >
      {at === undefined ? null : <ActiveAt pool={pool} at={at} />}
      {history.isPending ? <Loading what="the history" /> : null}
      {history.isError ? <Failure failure={history.error} onRetry={() => void history.refetch()} /> : null}
      {history.isSuccess ? (
        <DataTable
          label={`Activations of ${pool}`}
          columns={columns(zone)}
          rows={history.data}
          rowKey={(activation) => activation.generation}
          maxHeight={380}
          minWidth={640}
          empty={<Empty title="Nothing was activated yet" />}
        />
      ) : null}
    </Card>
  );
}

function ActiveAt({ pool, at }: { readonly pool: string; readonly at: string }) {
  const zone = useZone();
  const found = useQuery(registry<readonly Activation[]>(`/v1/pools/${encodeURIComponent(pool)}/activations?at=${encodeURIComponent(at)}`));
  const activation = found.data?.[0];
  return (
    <div className="card-body" role="status">
      {found.isPending ? <span className="muted">Looking…</span> : null}
      {found.isError ? <Failure failure={found.error} /> : null}
      {found.isSuccess ? (
        <Note>
          {activation === undefined ? (
            <>Nothing was active at {dateTime(at, zone)}: requests went to the least loaded decoder.</>
          ) : (
            <>
              At {dateTime(at, zone)} <b>version {activation.version}</b> was active, as generation {activation.generation}, by {activation.actor} since{' '}
              {dateTime(activation.activatedAt, zone)}.
            </>
          )}
        </Note>
      ) : null}
    </div>
  );
}

function columns(zone: 'local' | 'utc'): readonly Column<Activation>[] {
  return [
    { id: 'generation', header: 'Generation', width: '78px', align: 'end', sortBy: (row) => row.generation, cell: (row) => row.generation },
    { id: 'version', header: 'Version', width: '62px', sortBy: (row) => row.version, cell: (row) => <b>v{row.version}</b> },
    { id: 'kind', header: 'How', width: '90px', wideOnly: true, cell: (row) => <Badge tone={row.kind === 'rollback' ? 'warn' : 'neutral'}>{row.kind === 'rollback' ? 'rolled back' : 'activated'}</Badge> },
    { id: 'at', header: `From (${zoneShort(zone)})`, width: '148px', sortBy: (row) => row.activatedAt, cell: (row) => <span className="nowrap">{dateTime(row.activatedAt, zone)}</span> },
    {
      id: 'actor',
      header: 'Who',
      width: 'minmax(56px, 1fr)',
      sortBy: (row) => row.actor,
      cell: (row) => (
        <span className="clip">
          {row.actor} {row.actingThrough === undefined ? null : <span className="faint">via {row.actingThrough}</span>}
        </span>
      ),
    },
    { id: 'reason', header: 'Reason', width: 'minmax(100px, 2fr)', wideOnly: true, cell: (row) => <span className="clip muted" title={row.reason}>{row.reason ?? ''}</span> },
  ];
}
