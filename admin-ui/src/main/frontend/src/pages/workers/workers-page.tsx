import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { registry } from '../../api/queries';
import type { Worker } from '../../api/views';
import { Page } from '../../app/page';
import { useRefusal } from '../../app/session';
import { decimal, integer, plural } from '../../format/number';
import { useIsStale, useLive } from '../../live/use-live';
import { Badge, Status } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { type Column, DataTable } from '../../ui/data-table';
import { SearchField } from '../../ui/field';
import { Icon } from '../../ui/icon';
import { Empty, Failure, Loading } from '../../ui/states';
import { DeclareWorker, DrainWorker, RemoveWorker, ResumeWorker } from './worker-actions';
import { merged, type Row, rowKey, sighting } from './worker-rows';

type Act = 'drain' | 'resume' | 'remove' | 'change';

export function WorkersPage() {
  const { pool } = useParams({ from: '/pools/$pool/workers' });
  const workers = useQuery(registry<readonly Worker[]>(`/v1/pools/${encodeURIComponent(pool)}/workers`, 5_000));
  const live = useLive(({ state }) => state?.pools.find((other) => other.name === pool));
  const stale = useIsStale();
  const [text, setText] = useState('');
  const [act, setAct] = useState<{ readonly what: Act; readonly row: Row } | 'add'>();
  const refusal = useRefusal('operator');

  const rows = merged(workers.data ?? [], live?.decoders ?? [], live?.prefillers ?? []);
  const wanted = text.trim().toLowerCase();
  const shown = rows.filter((row) => `${row.slot} ${row.declared?.url ?? row.seen?.url ?? ''} ${row.seen?.state ?? ''}`.toLowerCase().includes(wanted));
  const close = () => setAct(undefined);

  return (
    <Page
      title="Workers"
      pool={pool}
      about="What is registered or seen by routers, and whether it gets traffic. Drain lets what runs end; Remove takes a worker out at once. Routers themselves eject one that fails, and try it again."
      actions={
        <Button variant="primary" refusal={refusal} onPress={() => setAct('add')}>
          <Icon name="plus" /> Register a worker
        </Button>
      }
    >
      <Card
        className={stale || live?.health.stale === true ? 'is-away' : ''}
        title="Workers"
        about={workers.isSuccess ? `${plural(rows.length, 'worker')}, ${integer(rows.filter((row) => row.seen?.state === 'READY').length)} get traffic` : undefined}
        actions={<SearchField label="Find a worker" value={text} onChange={setText} />}
        flush
      >
        {workers.isPending ? <Loading what="workers" /> : null}
        {workers.isError ? <Failure failure={workers.error} onRetry={() => void workers.refetch()} /> : null}
        {workers.isSuccess || rows.length > 0 ? (
          <DataTable
            label={`Workers of ${pool}`}
            columns={columns((what, row) => setAct({ what, row }), refusal)}
            rows={shown}
            rowKey={rowKey}
            rowHeight={40}
            maxHeight={640}
            minWidth={820}
            initialOrder={{ column: 'slot', descending: false }}
            empty={
              wanted === '' ? (
                <Empty title="No worker yet">Register one by its address, or name the pool’s EndpointSlices in the router’s configuration.</Empty>
              ) : (
                <Empty title="No worker has this in its name, state or address" />
              )
            }
          />
        ) : null}
      </Card>
      {act === 'add' ? <DeclareWorker pool={pool} onClose={close} /> : null}
      {typeof act === 'object' && act.what === 'change' ? <DeclareWorker pool={pool} worker={act.row.declared} onClose={close} /> : null}
      {typeof act === 'object' && act.what === 'drain' ? <DrainWorker pool={pool} row={act.row} onClose={close} /> : null}
      {typeof act === 'object' && act.what === 'resume' ? <ResumeWorker pool={pool} row={act.row} onClose={close} /> : null}
      {typeof act === 'object' && act.what === 'remove' ? <RemoveWorker pool={pool} row={act.row} onClose={close} /> : null}
    </Page>
  );
}

function columns(onAct: (what: Act, row: Row) => void, refusal: string | undefined): readonly Column<Row>[] {
  return [
    {
      id: 'slot',
      header: 'Worker',
      width: 'minmax(120px, 1fr)',
      sortBy: (row) => row.slot,
      cell: (row) => (
        <span className="stack-tight">
          <span className="clip">{row.slot}</span>
          <span className="faint clip">{row.declared?.url ?? row.seen?.url}</span>
        </span>
      ),
    },
    { id: 'role', header: 'Role', width: '72px', wideOnly: true, sortBy: (row) => row.role, cell: (row) => row.role },
    { id: 'state', header: 'State', width: 'minmax(110px, 1.3fr)', sortBy: (row) => row.seen?.state, cell: (row) => <State row={row} /> },
    { id: 'source', header: 'Known from', width: '96px', wideOnly: true, sortBy: (row) => row.declared?.source ?? 'routers', cell: (row) => row.declared?.source ?? 'routers' },
    { id: 'flight', header: 'In flight', width: '72px', align: 'end', wideOnly: true, sortBy: (row) => row.seen?.inFlight, cell: (row) => inFlight(row) },
    { id: 'weight', header: 'Weight', width: '60px', align: 'end', wideOnly: true, sortBy: (row) => row.declared?.weight ?? row.seen?.weight, cell: (row) => decimal(row.declared?.weight ?? row.seen?.weight, 1) },
    {
      id: 'act',
      header: <span className="visually-hidden">Actions</span>,
      width: '212px',
      narrowWidth: '84px',
      align: 'end',
      cell: (row) => <Actions row={row} refusal={refusal} onAct={onAct} />,
    },
  ];
}

function State({ row }: { readonly row: Row }) {
  if (row.seen === undefined) {
    return <span className="faint clip">No router tells of it</span>;
  }
  const { tone, text, detail } = sighting(row.seen);
  return (
    <Status tone={tone}>
      <span className="clip" title={detail ?? text}>
        {text}
      </span>
      {isHeldBack(row) && row.seen.state !== 'DRAINING' ? <Badge tone="warn">to be drained</Badge> : null}
    </Status>
  );
}

function inFlight(row: Row): string {
  const limit = row.seen?.maxInFlight ?? row.declared?.maxInFlight;
  return limit === undefined ? integer(row.seen?.inFlight) : `${integer(row.seen?.inFlight)} / ${integer(limit)}`;
}

function isHeldBack(row: Row): boolean {
  return row.declared?.desiredState === 'draining';
}

function Actions({ row, refusal, onAct }: { readonly row: Row; readonly refusal: string | undefined; readonly onAct: (what: Act, row: Row) => void }) {
  const held = isHeldBack(row) || row.seen?.state === 'DRAINING';
  const undeclared =
    row.declared === undefined
      ? 'It is not registered: it comes and goes with what the routers discover. Register it under its name to drain or change it.'
      : undefined;
  return (
    <span className="row-actions">
      <Button small refusal={refusal ?? undeclared} onPress={() => onAct(held ? 'resume' : 'drain', row)}>
        {held ? 'Undrain' : 'Drain'}
      </Button>
      <span className="wide-only row-actions">
        <Button small variant="ghost" refusal={refusal ?? undeclared} onPress={() => onAct('change', row)}>
          Change
        </Button>
        <Button small variant="ghost" refusal={refusal ?? undeclared} onPress={() => onAct('remove', row)}>
          Remove
        </Button>
      </span>
    </span>
  );
}
