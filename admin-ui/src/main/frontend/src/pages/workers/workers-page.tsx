import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { registry } from '../../api/queries';
import type { DecoderState } from '../../api/types';
import type { Worker } from '../../api/views';
import { Page } from '../../app/page';
import { useRefusal } from '../../app/session';
import { decimal, integer, plural } from '../../format/number';
import { useIsStale, useLive } from '../../live/use-live';
import { Badge, Status, type Tone } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { type Column, DataTable } from '../../ui/data-table';
import { SearchField } from '../../ui/field';
import { Icon } from '../../ui/icon';
import { Empty, Failure, Loading } from '../../ui/states';
import { DeclareWorker, DrainWorker, RemoveWorker, ResumeWorker } from './worker-actions';

/** A worker as it is meant to be and, where it is a decoder that routers know, as they see it. */
export interface Row {
  readonly slot: string;
  readonly declared: Worker | undefined;
  readonly seen: DecoderState | undefined;
}

type Act = 'drain' | 'resume' | 'remove' | 'change';

const STATES: Readonly<Record<DecoderState['state'], readonly [Tone, string]>> = {
  READY: ['good', 'Ready'],
  PENDING: ['neutral', 'Pending: its probe has not passed yet'],
  DRAINING: ['warn', 'Draining: finishes what it runs'],
  EJECTED: ['bad', 'Ejected: it failed; a single request tries it again'],
  GONE: ['neutral', 'Gone'],
};

export function WorkersPage() {
  const { pool } = useParams({ from: '/pools/$pool/workers' });
  const workers = useQuery(registry<readonly Worker[]>(`/v1/pools/${encodeURIComponent(pool)}/workers`, 5_000));
  const seen = useLive(({ state }) => state?.pools.find((other) => other.name === pool)?.decoders);
  const stale = useIsStale();
  const [text, setText] = useState('');
  const [act, setAct] = useState<{ readonly what: Act; readonly row: Row } | 'add'>();
  const refusal = useRefusal('operator');

  const rows = merged(workers.data ?? [], seen ?? []);
  const wanted = text.trim().toLowerCase();
  const shown = rows.filter((row) => `${row.slot} ${row.declared?.url ?? row.seen?.url ?? ''} ${row.seen?.state ?? ''}`.toLowerCase().includes(wanted));
  const close = () => setAct(undefined);

  return (
    <Page
      title="Workers"
      pool={pool}
      about="What is registered or seen by routers, and whether it gets traffic. Draining finishes what runs; nothing new is sent."
      actions={
        <Button variant="primary" refusal={refusal} onPress={() => setAct('add')}>
          <Icon name="plus" /> Register a worker
        </Button>
      }
    >
      <Card
        className={stale ? 'is-away' : ''}
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
            rowKey={(row) => row.slot}
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

function merged(declared: readonly Worker[], seen: readonly DecoderState[]): readonly Row[] {
  const decoders = new Map(seen.map((decoder) => [decoder.id, decoder]));
  const rows: Row[] = declared.map((worker) => ({ slot: worker.slot, declared: worker, seen: decoders.get(worker.slot) }));
  const known = new Set(rows.map((row) => row.slot));
  return [...rows, ...seen.filter(({ id }) => !known.has(id)).map((decoder): Row => ({ slot: decoder.id, declared: undefined, seen: decoder }))];
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
    { id: 'role', header: 'Role', width: '72px', wideOnly: true, sortBy: (row) => row.declared?.role ?? 'decode', cell: (row) => row.declared?.role ?? 'decode' },
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
    return <span className="faint clip">{row.declared?.role === 'prefill' ? 'Used by the gateway' : 'No router knows it yet'}</span>;
  }
  const [tone, text] = STATES[row.seen.state];
  const drained = row.seen.state === 'DRAINING' && row.seen.inFlight === 0;
  return (
    <Status tone={drained ? 'neutral' : tone}>
      <span className="clip">{drained ? 'Drained: nothing runs there' : text}</span>
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
  const undeclared = row.declared === undefined ? 'It is not registered: it comes and goes with what the routers discover.' : undefined;
  return (
    <span className="row-actions">
      <Button small refusal={refusal} onPress={() => onAct(held ? 'resume' : 'drain', row)}>
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
