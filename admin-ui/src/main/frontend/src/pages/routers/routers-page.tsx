import { Page } from '../../app/page';
import { useZone } from '../../app/preferences';
import type { RouterPool, RouterState } from '../../api/types';
import { plural } from '../../format/number';
import { ago, dateTime } from '../../format/time';
import { useIsStale, useLive, useNow } from '../../live/use-live';
import { Badge, Status } from '../../ui/badge';
import { Card, Figure, Figures } from '../../ui/card';
import { type Column, DataTable } from '../../ui/data-table';
import { Empty, Loading, Note } from '../../ui/states';

export function RoutersPage() {
  const routers = useLive(({ state }) => state?.routers);
  const stale = useIsStale();
  return (
    <Page
      title="Routers"
      about="Each router follows the activations of every pool. One that cannot serve an artifact refuses it, says why, and goes on with the version before."
    >
      <div className={stale ? 'stack is-stale' : 'stack'}>
        {routers === undefined ? <Loading what="routers" /> : null}
        {routers?.length === 0 ? (
          <Empty title="No router is known">Routers announce themselves through Postgres when they start. Check that one runs and reaches it.</Empty>
        ) : null}
        {routers?.map((router) => <RouterCard key={router.instance} router={router} />)}
      </div>
    </Page>
  );
}

function RouterCard({ router }: { readonly router: RouterState }) {
  const now = useNow();
  const zone = useZone();
  const away = router.health.stale;
  const refused = router.pools.filter((pool) => pool.nack !== undefined);
  const behind = router.pools.filter((pool) => pool.behind);
  return (
    <Card
      className={away ? 'is-away' : ''}
      title={router.instance}
      about={<span className="mono">{router.url}</span>}
      actions={
        away ? (
          <Status tone="bad">Does not answer</Status>
        ) : refused.length > 0 ? (
          <Status tone="bad">Refused {plural(refused.length, 'activation')}</Status>
        ) : behind.length > 0 ? (
          <Status tone="warn">Behind in {plural(behind.length, 'pool')}</Status>
        ) : (
          <Status tone="good">Follows</Status>
        )
      }
      flush
    >
      {away ? (
        <p className="banner banner-inset">
          <span>
            <b>It answered last {router.health.since === undefined ? 'never' : ago(router.health.since, now)}.</b> What is shown is the last
            that was known. {router.health.detail} Other routers go on.
          </span>
        </p>
      ) : null}
      <div className="card-body">
        <Figures>
          <Figure name="Started" value={router.startedAt === undefined ? '–' : ago(router.startedAt, now)} note={dateTime(router.startedAt, zone)} />
          <Figure name="Heartbeat in Postgres" value={router.lastHeartbeat === undefined ? '–' : ago(router.lastHeartbeat, now)} note={router.lastHeartbeat === undefined ? 'not known to Postgres' : dateTime(router.lastHeartbeat, zone)} />
          <Figure name="Pools" value={router.pools.length} />
        </Figures>
      </div>
      {refused.map((pool) => (
        <div key={pool.pool} className="card-body">
          <Note tone="bad">
            <b>
              {pool.pool}: refused generation {pool.nack?.generation}.
            </b>{' '}
            {pool.nack?.reason}{' '}
            <span className="muted">It goes on serving generation {pool.generation}. Activate a version that fits the pool, or roll back.</span>
          </Note>
        </div>
      ))}
      <DataTable
        label={`Pools of ${router.instance}`}
        columns={COLUMNS}
        rows={router.pools}
        rowKey={(pool) => pool.pool}
        initialOrder={{ column: 'pool', descending: false }}
        empty={<Empty title="It serves no pool">It takes up pools within a second of their creation.</Empty>}
      />
    </Card>
  );
}

const COLUMNS: readonly Column<RouterPool>[] = [
  { id: 'pool', header: 'Pool', width: 'minmax(90px, 1.4fr)', sortBy: (pool) => pool.pool, cell: (pool) => <span className="clip">{pool.pool}</span> },
  { id: 'policy', header: 'Policy', width: 'minmax(64px, 1fr)', wideOnly: true, sortBy: (pool) => pool.policy, cell: (pool) => <Badge tone="accent">{pool.policy}</Badge> },
  { id: 'generation', header: 'Generation', width: '84px', align: 'end', sortBy: (pool) => pool.generation, cell: (pool) => (pool.generation === 0 ? '–' : pool.generation) },
  { id: 'version', header: 'Artifact', width: '72px', align: 'end', sortBy: (pool) => pool.artifactVersion, cell: (pool) => (pool.artifactVersion === undefined ? 'none' : `v${pool.artifactVersion}`) },
  {
    id: 'state',
    header: 'State',
    width: 'minmax(104px, 2fr)',
    cell: (pool) =>
      pool.nack !== undefined ? (
        <Status tone="bad">Refused {pool.nack.generation}</Status>
      ) : pool.behind ? (
        <Status tone="warn">Behind another router</Status>
      ) : pool.generation === 0 ? (
        <Status tone="neutral">No artifact: least load</Status>
      ) : (
        <Status tone="good">Newest</Status>
      ),
  },
];
