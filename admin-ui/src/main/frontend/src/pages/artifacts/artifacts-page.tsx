import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { backEndUrl } from '../../api/base';
import { calibration, passage, path } from '../../api/call';
import { registry } from '../../api/queries';
import type { Activation, Artifact, Pool } from '../../api/views';
import { Page } from '../../app/page';
import { useZone } from '../../app/preferences';
import { useRefusal } from '../../app/session';
import { bytes, decimal } from '../../format/number';
import { dateTime, zoneShort } from '../../format/time';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { type Column, DataTable } from '../../ui/data-table';
import { Icon } from '../../ui/icon';
import { Empty, Failure, Loading, Note } from '../../ui/states';
import { Activate, Pin, RollBack } from './artifact-actions';
import { Comparison } from './comparison';
import { History } from './history';

type Act = { readonly what: 'activate'; readonly version: number } | { readonly what: 'roll back' } | { readonly what: 'pin' };

export function ArtifactsPage() {
  const { pool } = useParams({ from: '/pools/$pool/artifacts' });
  const at = `/v1/pools/${encodeURIComponent(pool)}`;
  const zone = useZone();
  const mayOperate = useRefusal('operator');
  const mayAdmin = useRefusal('admin');
  const artifacts = useQuery(registry<readonly Artifact[]>(`${at}/artifacts`, 5_000));
  const history = useQuery(registry<readonly Activation[]>(`${at}/activations?limit=200`, 5_000));
  const settings = useQuery(registry<Pool>(at, 5_000));
  const [act, setAct] = useState<Act>();
  const [picked, setPicked] = useState<readonly number[]>();

  const versions = artifacts.data ?? [];
  const current = history.data?.[0];
  const pinned = settings.data?.pinned === true;
  const compared = picked ?? firstTwo(versions);
  const close = () => setAct(undefined);
  const pick = (version: number) =>
    setPicked(compared.includes(version) ? compared.filter((other) => other !== version) : [...compared, version].slice(-2));

  return (
    <Page
      title="Artifacts"
      pool={pool}
      about="Versions never change. Activating or rolling back gives the pool its next generation, which every router follows within moments."
      actions={
        <>
          <Button refusal={mayAdmin ?? (settings.data === undefined ? 'The pool’s settings are not known yet.' : undefined)} onPress={() => setAct({ what: 'pin' })}>
            <Icon name="pin" /> {pinned ? 'Unpin' : 'Pin'}
          </Button>
          <Button refusal={mayOperate ?? (current === undefined ? 'Nothing was activated yet.' : undefined)} onPress={() => setAct({ what: 'roll back' })}>
            Roll back
          </Button>
        </>
      }
    >
      {pinned ? (
        <Note tone="warn">
          <b>Pinned.</b> New versions are published but not activated, until it is unpinned or one is activated by hand.
        </Note>
      ) : null}
      <Card title="Versions" about="Choose two to compare them." flush>
        {artifacts.isPending ? <Loading what="versions" /> : null}
        {artifacts.isError ? <Failure failure={artifacts.error} onRetry={() => void artifacts.refetch()} /> : null}
        {artifacts.isSuccess ? (
          <DataTable
            label={`Artifact versions of ${pool}`}
            columns={columns(pool, zone, compared, pick, mayOperate, (version) => setAct({ what: 'activate', version }))}
            rows={versions}
            rowKey={(artifact) => artifact.version}
            rowHeight={38}
            maxHeight={340}
            minWidth={800}
            empty={
              <Empty title="No version yet" action={<Link to="/pools/$pool/refits" params={{ pool }}>Start a refit</Link>}>
                Until there is one, requests go to the least loaded decoder.
              </Empty>
            }
          />
        ) : null}
      </Card>
      {compared.length === 2 ? <Comparison pool={pool} versions={[...compared].sort((a, b) => a - b)} /> : null}
      <History pool={pool} history={history} />
      {act?.what === 'activate' ? <Activate pool={pool} version={act.version} current={current} onClose={close} /> : null}
      {act?.what === 'roll back' && current !== undefined ? <RollBack pool={pool} current={current} versions={versions} onClose={close} /> : null}
      {act?.what === 'pin' ? <Pin pool={pool} pinned={pinned} onClose={close} /> : null}
    </Page>
  );
}

/** What one would compare first: the active version and the newest other. */
function firstTwo(versions: readonly Artifact[]): readonly number[] {
  const active = versions.find((artifact) => artifact.active);
  const other = versions.filter((artifact) => artifact !== active).sort((a, b) => b.version - a.version)[0];
  return active === undefined || other === undefined ? [] : [active.version, other.version];
}

function columns(
  pool: string,
  zone: 'local' | 'utc',
  compared: readonly number[],
  onPick: (version: number) => void,
  refusal: string | undefined,
  onActivate: (version: number) => void,
): readonly Column<Artifact>[] {
  return [
    {
      id: 'compare',
      header: <span className="visually-hidden">Compare</span>,
      width: '20px',
      wideOnly: true,
      cell: ({ version }) => (
        <input type="checkbox" className="pick" checked={compared.includes(version)} onChange={() => onPick(version)} aria-label={`Compare version ${version}`} />
      ),
    },
    {
      id: 'version',
      header: 'Version',
      width: '128px',
      sortBy: (artifact) => artifact.version,
      cell: (artifact) => (
        <span className="row">
          <b>v{artifact.version}</b>
          {artifact.active ? <Badge tone="good">active</Badge> : null}
          {artifact.uncalibrated ? <Badge tone="warn">uncalibrated</Badge> : null}
        </span>
      ),
    },
    { id: 'representation', header: 'Representation', width: 'minmax(96px, 1fr)', wideOnly: true, sortBy: (artifact) => artifact.representation, cell: (artifact) => artifact.representation },
    { id: 'mask', header: 'Mask', width: '76px', wideOnly: true, align: 'end', sortBy: (artifact) => artifact.mask.length, cell: (artifact) => `${artifact.mask.length} of ${artifact.layers}` },
    { id: 'tau', header: 'Tau', width: '56px', align: 'end', sortBy: (artifact) => artifact.recommendedTau, cell: (artifact) => decimal(artifact.recommendedTau, 3) },
    { id: 'slots', header: 'Clusters', width: '60px', wideOnly: true, align: 'end', sortBy: (artifact) => artifact.slots.length, cell: (artifact) => artifact.slots.length },
    {
      id: 'from',
      header: 'Made by',
      width: 'minmax(110px, 1.1fr)',
      wideOnly: true,
      cell: (artifact) => (
        <span className="clip">
          {artifact.refit === undefined ? (
            'import'
          ) : (
            <Link to="/pools/$pool/refits/$refit" params={{ pool, refit: String(artifact.refit) }}>
              refit #{artifact.refit}
            </Link>
          )}{' '}
          <span className="faint">{artifact.createdBy}</span>
        </span>
      ),
    },
    { id: 'at', header: `Made (${zoneShort(zone)})`, width: '148px', wideOnly: true, sortBy: (artifact) => artifact.createdAt, cell: (artifact) => <span className="nowrap">{dateTime(artifact.createdAt, zone)}</span> },
    {
      id: 'act',
      header: <span className="visually-hidden">Actions</span>,
      width: '164px',
      narrowWidth: '84px',
      align: 'end',
      cell: (artifact) => (
        <span className="row-actions">
          <a
            className="button button-ghost button-small wide-only"
            download
            href={backEndUrl(passage(calibration('GET', path`/v1/pools/${pool}/artifacts/${artifact.version}/binary`)))}
            title={`Download the binary, ${bytes(artifact.sizeBytes)}, SHA-256 ${artifact.sha256}`}
          >
            Download
          </a>
          <Button small refusal={refusal ?? (artifact.active ? 'It is active already.' : undefined)} onPress={() => onActivate(artifact.version)}>
            Activate
          </Button>
        </span>
      ),
    },
  ];
}
