import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { registry } from '../../api/queries';
import type { Drift, Refit, SampleSummary } from '../../api/views';
import { Page } from '../../app/page';
import { useZone } from '../../app/preferences';
import { useRefusal } from '../../app/session';
import { decimal, integer, percent } from '../../format/number';
import { ago, dateTime, duration, zoneShort } from '../../format/time';
import { useNow } from '../../live/use-live';
import { Badge, Status } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card, Figure, Figures } from '../../ui/card';
import { type Column, DataTable } from '../../ui/data-table';
import { Icon } from '../../ui/icon';
import { Empty, Failure, Loading } from '../../ui/states';
import { Progress, RefitStatus } from './refit-status';
import { StartRefit } from './start-refit';

export function RefitsPage() {
  const { pool } = useParams({ from: '/pools/$pool/refits' });
  const zone = useZone();
  const navigate = useNavigate();
  const refusal = useRefusal('operator');
  const at = `/v1/pools/${encodeURIComponent(pool)}`;
  const refits = useQuery(registry<readonly Refit[]>(`${at}/refits?limit=200`, 2_000));
  const [starting, setStarting] = useState(false);

  return (
    <Page
      title="Refits"
      pool={pool}
      about="A refit makes a new artifact version of the newest samples, for the decoders that are there now. The gate compares it with the active one first."
      actions={
        <Button variant="primary" refusal={refusal} onPress={() => setStarting(true)}>
          <Icon name="plus" /> Start a refit
        </Button>
      }
    >
      <Basis at={at} />
      <Card title="Refits" flush>
        {refits.isPending ? <Loading what="refits" /> : null}
        {refits.isError ? <Failure failure={refits.error} onRetry={() => void refits.refetch()} /> : null}
        {refits.isSuccess ? (
          <DataTable
            label={`Refits of ${pool}`}
            columns={columns(pool, zone)}
            rows={refits.data}
            rowKey={(refit) => refit.id}
            rowHeight={36}
            maxHeight={560}
            minWidth={760}
            empty={<Empty title="No refit yet">Once there are samples and decoders, start one. With live traffic the first starts by itself.</Empty>}
          />
        ) : null}
      </Card>
      {starting ? (
        <StartRefit
          pool={pool}
          onClose={() => setStarting(false)}
          onStarted={(refit) => void navigate({ to: '/pools/$pool/refits/$refit', params: { pool, refit: String(refit.id) } })}
        />
      ) : null}
    </Page>
  );
}

/** What a refit would stand on, and whether one is due. */
function Basis({ at }: { readonly at: string }) {
  const now = useNow();
  const samples = useQuery(registry<SampleSummary>(`${at}/samples`, 15_000));
  const drift = useQuery(registry<Drift>(`${at}/drift?limit=1`, 15_000));
  const state = drift.data?.state;
  const window = drift.data?.windows?.[0];
  const count = samples.data?.count;
  return (
    <Card title="Samples and drift">
      <Figures>
        <Figure name="Samples" value={integer(count)} note={samples.data?.newest === undefined ? undefined : `newest ${ago(samples.data.newest, now)}`} />
        <Figure name="With decode counts" value={count === undefined || count === 0 ? '–' : percent((samples.data?.withDecode ?? 0) / count)} />
        <Figure
          name="Drift"
          value={
            state === undefined ? (
              '–'
            ) : (
              <Status tone={state === 'calm' ? 'good' : state === 'alarm' ? 'bad' : state === 'suspected' ? 'warn' : 'neutral'}>{state}</Status>
            )
          }
          note={drift.data?.reason}
        />
        <Figure name="Mix shift (PSI)" value={decimal(window?.psi, 3)} note={`alarm over ${decimal(window?.psiThreshold, 2)}`} />
        <Figure name="New content (KS)" value={decimal(window?.ks, 3)} note={`alarm over ${decimal(window?.ksThreshold, 2)}`} />
        <Figure name="Spill, last window" value={percent(window?.spillRate)} />
      </Figures>
    </Card>
  );
}

function columns(pool: string, zone: 'local' | 'utc'): readonly Column<Refit>[] {
  return [
    {
      id: 'id',
      header: 'Refit',
      width: '64px',
      sortBy: (refit) => refit.id,
      cell: (refit) => (
        <Link to="/pools/$pool/refits/$refit" params={{ pool, refit: String(refit.id) }} className="row-link">
          #{refit.id}
        </Link>
      ),
    },
    {
      id: 'state',
      header: 'State',
      width: 'minmax(96px, 1.2fr)',
      sortBy: (refit) => refit.state,
      cell: (refit) => (refit.state === 'RUNNING' ? <Progress refit={refit} /> : <RefitStatus refit={refit} />),
    },
    { id: 'version', header: 'Version', width: '96px', sortBy: (refit) => refit.version, cell: (refit) => (refit.version === undefined ? '–' : <span className="row">v{refit.version} {refit.proposed ? <Badge tone="accent">proposed</Badge> : null}</span>) },
    { id: 'trigger', header: 'Trigger', width: '80px', wideOnly: true, sortBy: (refit) => refit.trigger, cell: (refit) => refit.trigger },
    { id: 'why', header: 'Why, or why not', width: 'minmax(120px, 2fr)', wideOnly: true, cell: (refit) => <span className="clip muted" title={refit.reason ?? refit.why}>{refit.reason ?? refit.why ?? ''}</span> },
    { id: 'by', header: 'By', width: 'minmax(70px, 0.7fr)', wideOnly: true, sortBy: (refit) => refit.requestedBy, cell: (refit) => <span className="clip">{refit.requestedBy}</span> },
    { id: 'at', header: `Asked for (${zoneShort(zone)})`, width: '148px', wideOnly: true, sortBy: (refit) => refit.createdAt, cell: (refit) => <span className="nowrap">{dateTime(refit.createdAt, zone)}</span> },
    { id: 'took', header: 'Took', width: '64px', align: 'end', wideOnly: true, cell: (refit) => took(refit) },
  ];
}

function took(refit: Refit): string {
  return refit.startedAt === undefined || refit.finishedAt === undefined ? '–' : duration(Date.parse(refit.finishedAt) - Date.parse(refit.startedAt));
}
