import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { calibration, path } from '../../api/call';
import { registry } from '../../api/queries';
import { type Artifact, isOver, type Refit } from '../../api/views';
import { Page } from '../../app/page';
import { useZone } from '../../app/preferences';
import { useRefusal } from '../../app/session';
import { percent } from '../../format/number';
import { dateTime, duration, zoneShort } from '../../format/time';
import { useJobEvents } from '../../live/use-job-events';
import { useNow } from '../../live/use-live';
import { reportOf } from '../../report/report';
import { ReportView } from '../../report/report-view';
import { ActionDialog } from '../../ui/action-dialog';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { Failure, Loading, Note } from '../../ui/states';
import { RefitStatus, STAGES, stageName } from './refit-status';

type Act = 'cancel' | 'approve' | 'dismiss';

export function RefitPage() {
  const { pool, refit: id } = useParams({ from: '/pools/$pool/refits/$refit' });
  const zone = useZone();
  const refusal = useRefusal('operator');
  const [act, setAct] = useState<Act>();
  const at = path`/v1/pools/${pool}/refits/${id}`;
  const refit = useQuery(registry<Refit>(at));
  const running = refit.data !== undefined && !isOver(refit.data);

  useJobEvents(at, 'refit', running);

  const data = refit.data;
  const artifact = useQuery({ ...registry<Artifact>(path`/v1/pools/${pool}/artifacts/${data?.version ?? 0}`), enabled: data?.version !== undefined });
  const report = reportOf(data?.report);
  return (
    <Page
      title={`Refit #${id}`}
      pool={pool}
      about={<Link to="/pools/$pool/refits" params={{ pool }}>All refits of {pool}</Link>}
      actions={
        data === undefined ? undefined : running ? (
          <Button refusal={refusal} onPress={() => setAct('cancel')}>
            Cancel
          </Button>
        ) : data.proposed ? (
          <>
            <Button refusal={refusal} onPress={() => setAct('dismiss')}>
              Dismiss
            </Button>
            <Button variant="primary" refusal={refusal} onPress={() => setAct('approve')}>
              Approve v{data.version}
            </Button>
          </>
        ) : undefined
      }
    >
      {refit.isPending ? <Loading what="the refit" /> : null}
      {refit.isError ? <Failure failure={refit.error} onRetry={() => void refit.refetch()} /> : null}
      {data === undefined ? null : (
        <Card title={<RefitStatus refit={data} />} actions={data.version === undefined ? undefined : <Badge tone="accent">v{data.version}</Badge>}>
          <div className="stack">
            {running ? <Stages refit={data} /> : null}
            {data.reason === undefined ? null : <Note tone={data.state === 'REJECTED' || data.state === 'FAILED' ? 'bad' : 'info'}>{data.reason}</Note>}
            {data.proposed ? <Note>It waits for a decision: the pool is pinned, or asks for approval. Nothing is served from it yet.</Note> : null}
            <dl className="facts">
              <div>
                <dt>Asked for by</dt>
                <dd>
                  {data.requestedBy}, {data.trigger}
                  {data.why === undefined ? '' : `: ${data.why}`}
                </dd>
              </div>
              <div>
                <dt>Asked for at</dt>
                <dd>
                  {dateTime(data.createdAt, zone)} {zoneShort(zone)}
                </dd>
              </div>
              <div>
                <dt>Took</dt>
                <dd>
                  <Took refit={data} />
                </dd>
              </div>
              <div>
                <dt>Options</dt>
                <dd className="mono">{JSON.stringify(data.options ?? {})}</dd>
              </div>
            </dl>
          </div>
        </Card>
      )}
      {report === undefined ? null : <ReportView report={report} slots={artifact.data?.slots} />}
      {act === undefined || data === undefined ? null : <Decide act={act} pool={pool} refit={data} onClose={() => setAct(undefined)} />}
    </Page>
  );
}

function Stages({ refit }: { readonly refit: Refit }) {
  const now = STAGES.findIndex(([stage]) => stage === refit.stage);
  return (
    <div className="stack-s">
      <div className="row-apart">
        <span>{stageName(refit.stage)}</span>
        <b>{percent(refit.progress, 0)}</b>
      </div>
      <progress className="progress-wide" max={1} value={refit.progress} aria-label="Progress of the refit" />
      <ol className="stages">
        {STAGES.map(([stage, name], i) => (
          <li key={stage} className={i < now ? 'stage-done' : i === now ? 'stage-now' : ''}>
            {name}
          </li>
        ))}
      </ol>
    </div>
  );
}

function Took({ refit }: { readonly refit: Refit }) {
  const now = useNow();
  return refit.startedAt === undefined ? 'not started' : duration((refit.finishedAt === undefined ? now : Date.parse(refit.finishedAt)) - Date.parse(refit.startedAt));
}

function Decide({ act, pool, refit, onClose }: { readonly act: Act; readonly pool: string; readonly refit: Refit; readonly onClose: () => void }) {
  const call = calibration('POST', path`/v1/pools/${pool}/refits/${refit.id}/${act}`);
  switch (act) {
    case 'cancel':
      return (
        <ActionDialog title={`Cancel refit #${refit.id}?`} call={call} confirm="Cancel the refit" danger done={`Refit #${refit.id} is cancelled.`} onClose={onClose}>
          <p>It ends within about a second. Nothing is published; the active version stays.</p>
        </ActionDialog>
      );
    case 'approve':
      return (
        <ActionDialog title={`Activate version ${refit.version ?? ''}?`} call={call} confirm="Approve and activate" done={`Version ${refit.version ?? ''} is active.`} onClose={onClose}>
          <p>Routers follow within moments. You can roll back at any time.</p>
        </ActionDialog>
      );
    case 'dismiss':
      return (
        <ActionDialog title={`Dismiss version ${refit.version ?? ''}?`} call={call} confirm="Dismiss" done={`Version ${refit.version ?? ''} is not proposed any more.`} onClose={onClose}>
          <p>The active version stays. The dismissed one is kept and can still be activated on the Artifacts page.</p>
        </ActionDialog>
      );
  }
}
