import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { calibration, path } from '../../api/call';
import { registry } from '../../api/queries';
import { type Evaluation, isOver, type JobState } from '../../api/views';
import { Page } from '../../app/page';
import { useZone } from '../../app/preferences';
import { useRefusal } from '../../app/session';
import { integer, percent } from '../../format/number';
import { dateTime, zoneShort } from '../../format/time';
import { useJobEvents } from '../../live/use-job-events';
import { useLive } from '../../live/use-live';
import { ActionDialog } from '../../ui/action-dialog';
import { Status, type Tone } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { type Column, DataTable } from '../../ui/data-table';
import { Icon } from '../../ui/icon';
import { Empty, Failure, Loading, Note } from '../../ui/states';
import { StartEvaluation } from './start-evaluation';
import { StudyView } from './study-view';

const STATES: Readonly<Record<JobState, readonly [Tone, string]>> = {
  QUEUED: ['neutral', 'Queued'],
  RUNNING: ['accent', 'Running'],
  SUCCEEDED: ['good', 'Done'],
  FAILED: ['bad', 'Failed'],
  CANCELLED: ['neutral', 'Cancelled'],
};

const STAGES: Readonly<Record<string, string>> = { read: 'Reading samples', fit: 'Fitting artifacts', simulate: 'Simulating' };

export function WhatIfPage() {
  const { pool } = useParams({ from: '/pools/$pool/what-if' });
  const refusal = useRefusal('operator');
  const zone = useZone();
  const evaluations = useQuery(registry<readonly Evaluation[]>(`${path`/v1/pools/${pool}/evaluations`}?limit=100`, 5_000));
  const decoders = useLive(({ state }) => state?.pools.find((other) => other.name === pool)?.decoders.length);
  const [asking, setAsking] = useState<{ readonly rate: number | undefined }>();
  const rate = useLive(({ state }) => state?.pools.find((other) => other.name === pool)?.decisionsPerSecond);
  const [selected, setSelected] = useState<number>();
  const shown = selected ?? evaluations.data?.[0]?.id;

  return (
    <Page
      title="What-if"
      pool={pool}
      about="The simulator serves the pool’s own samples under other policies, widths of the band and numbers of decoders, before production does."
      actions={
        <Button variant="primary" refusal={refusal} onPress={() => setAsking({ rate })}>
          <Icon name="plus" /> Ask
        </Button>
      }
    >
      <Card title="Evaluations" flush>
        {evaluations.isPending ? <Loading what="evaluations" /> : null}
        {evaluations.isError ? <Failure failure={evaluations.error} onRetry={() => void evaluations.refetch()} /> : null}
        {evaluations.isSuccess ? (
          <DataTable
            label={`Evaluations of ${pool}`}
            columns={columns(zone, setSelected)}
            rows={evaluations.data}
            rowKey={(evaluation) => evaluation.id}
            isSelected={(evaluation) => evaluation.id === shown}
            maxHeight={240}
            minWidth={640}
            empty={<Empty title="Nothing was asked yet">Ask how policies, tau or another number of decoders would do. It takes a minute or so, and changes nothing.</Empty>}
          />
        ) : null}
      </Card>
      {shown === undefined ? null : <Result key={shown} pool={pool} id={shown} />}
      {asking === undefined ? null : (
        <StartEvaluation pool={pool} decoders={decoders ?? 8} rate={asking.rate} onClose={() => setAsking(undefined)} onStarted={(evaluation) => setSelected(evaluation.id)} />
      )}
    </Page>
  );
}

function Result({ pool, id }: { readonly pool: string; readonly id: number }) {
  const at = path`/v1/pools/${pool}/evaluations/${id}`;
  const evaluation = useQuery(registry<Evaluation>(at));
  const refusal = useRefusal('operator');
  const [cancelling, setCancelling] = useState(false);
  const data = evaluation.data;
  const running = data !== undefined && !isOver(data);
  useJobEvents(at, 'evaluation', running);
  if (evaluation.isError) {
    return <Failure failure={evaluation.error} onRetry={() => void evaluation.refetch()} />;
  }
  if (data === undefined) {
    return <Loading what="the evaluation" />;
  }
  return (
    <>
      {running ? (
        <Card
          title={STAGES[data.stage ?? ''] ?? 'Waiting'}
          actions={
            <Button small refusal={refusal} onPress={() => setCancelling(true)}>
              Cancel
            </Button>
          }
        >
          <span className="progress">
            <progress max={1} value={data.progress} aria-label="Progress of the evaluation" />
            <b>{percent(data.progress, 0)}</b>
          </span>
        </Card>
      ) : null}
      {data.reason === undefined ? null : <Note tone={data.state === 'FAILED' ? 'bad' : 'info'}>{data.reason}</Note>}
      {data.report === undefined ? null : <StudyView report={data.report} />}
      {cancelling ? (
        <ActionDialog title={`Cancel evaluation #${id}?`} call={calibration('POST', `${at}/cancel`)} confirm="Cancel the evaluation" danger done={`Evaluation #${id} is cancelled.`} onClose={() => setCancelling(false)}>
          <p>What was simulated so far is lost. Nothing else depends on it.</p>
        </ActionDialog>
      ) : null}
    </>
  );
}

function columns(zone: 'local' | 'utc', onSelect: (id: number) => void): readonly Column<Evaluation>[] {
  return [
    {
      id: 'id',
      header: 'Evaluation',
      width: '76px',
      sortBy: (evaluation) => evaluation.id,
      cell: (evaluation) => (
        <button type="button" className="pick-row" onClick={() => onSelect(evaluation.id)}>
          #{evaluation.id}
        </button>
      ),
    },
    { id: 'state', header: 'State', width: '96px', cell: (evaluation) => <Status tone={STATES[evaluation.state][0]}>{evaluation.state === 'RUNNING' ? percent(evaluation.progress, 0) : STATES[evaluation.state][1]}</Status> },
    { id: 'what', header: 'What', width: 'minmax(120px, 2fr)', cell: (evaluation) => <span className="clip muted">{question(evaluation)}</span> },
    { id: 'rates', header: 'Requests a second', width: 'minmax(100px, 1fr)', wideOnly: true, cell: (evaluation) => <span className="clip">{evaluation.options.rates.map((rate) => integer(rate)).join(', ') || evaluation.options.arrivals}</span> },
    { id: 'by', header: 'By', width: 'minmax(60px, 0.7fr)', wideOnly: true, cell: (evaluation) => <span className="clip">{evaluation.requestedBy}</span> },
    { id: 'at', header: `Asked (${zoneShort(zone)})`, width: '148px', wideOnly: true, sortBy: (evaluation) => evaluation.createdAt, cell: (evaluation) => <span className="nowrap">{dateTime(evaluation.createdAt, zone)}</span> },
  ];
}

function question({ options }: Evaluation): string {
  const parts = [options.policies.join(', ')];
  if (options.tau.length > 1) {
    parts.push(`tau ${options.tau.join(', ')}`);
  }
  if (options.decoders.length > 0) {
    parts.push(`K ${options.decoders.join(', ')}`);
  }
  return parts.join(' · ');
}
