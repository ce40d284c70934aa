import { Link } from '@tanstack/react-router';
import { memo, useState } from 'react';
import type { PoolState, RouterPool } from '../../api/types';
import { SeriesChart } from '../../charts/lazy';
import { decimal, integer, milliseconds, percent } from '../../format/number';
import { useRefusal } from '../../app/session';
import { ago } from '../../format/time';
import { thinned } from '../../live/series';
import { useLive, useLiveStore, useNow } from '../../live/use-live';
import { Badge, Status, type Tone } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card, Figure, Figures } from '../../ui/card';
import { Icon } from '../../ui/icon';
import { ChangeRouting } from './change-routing';
import { DecoderTable } from './decoder-table';
import { healthOf } from './pool-health';
import { Trials } from './trials';

/** One pool as it is this second. */
export const PoolCard = memo(function PoolCard({ name, withChart }: { readonly name: string; readonly withChart: boolean }) {
  const pool = useLive(({ state }) => state?.pools.find((other) => other.name === name));
  if (pool === undefined) {
    return null;
  }
  return (
    <Card
      className={pool.health.stale ? 'is-away' : ''}
      title={
        <>
          {pool.name} <Badge tone="accent">{pool.policy}</Badge>
        </>
      }
      about={<span className="clip">{pool.model}</span>}
      actions={<PoolHealth pool={pool} />}
      flush
    >
      {pool.health.stale ? <Away pool={pool} /> : null}
      <div className="card-body">
        <Figures>
          <Figure name="TPOT P50" value={milliseconds(pool.tpotP50Ms ?? pool.tpotMs)} />
          <Figure name="TPOT P99" value={milliseconds(pool.tpotP99Ms)} />
          <Figure name="Experts per step" value={decimal(pool.activeExperts, 1)} note={`of ${integer(pool.experts)}`} />
          <Figure name="Decisions" value={`${decimal(pool.decisionsPerSecond, 1)} /s`} />
          <Figure name="Spill" value={percent(pool.spillRate)} />
          <Figure name="In flight" value={integer(pool.decoders.reduce((sum, decoder) => sum + decoder.inFlight, 0))} />
        </Figures>
      </div>
      {withChart ? <TpotChart name={name} /> : null}
      <DecoderTable pool={pool} />
      <Serving pool={pool} />
    </Card>
  );
});

function PoolHealth({ pool }: { readonly pool: PoolState }) {
  const [tone, text] = healthOf(pool);
  return (
    <Link to="/pools/$pool/workers" params={{ pool: pool.name }} className="quiet-link">
      <Status tone={tone}>{text}</Status>
    </Link>
  );
}

function Away({ pool }: { readonly pool: PoolState }) {
  const now = useNow();
  return (
    <p className="banner banner-inset">
      <Icon name="warning" />
      <span>
        <b>No router answers for this pool</b>
        {pool.health.since === undefined ? '' : ` since ${ago(pool.health.since, now)}`}. What is shown is the last that was known.
        {pool.health.detail === undefined ? '' : ` ${pool.health.detail}`}
      </span>
    </p>
  );
}

function TpotChart({ name }: { readonly name: string }) {
  const store = useLiveStore();
  return (
    <div className="card-body">
      <SeriesChart
        label={`Time per output token of ${name}, median and slowest of a hundred`}
        unit="ms"
        lines={[
          { label: 'P50', colour: '--locality' },
          { label: 'P99', colour: '--text-3', dashed: true },
        ]}
        data={() => {
          const series = store.series(name);
          const { at, tracks } = thinned(series.at, [series.track('tpotP50Ms'), series.track('tpotP99Ms')]);
          return [at, ...tracks];
        }}
      />
    </div>
  );
}

/** Which generation of the artifact each router serves. */
function Serving({ pool }: { readonly pool: PoolState }) {
  const routers = useLive(({ state }) => state?.routers) ?? [];
  const refusal = useRefusal('operator');
  const [changing, setChanging] = useState(false);
  const serving = routers.flatMap((router) => {
    const served = router.pools.find((other) => other.pool === pool.name);
    return served === undefined ? [] : [{ instance: router.instance, away: router.health.stale, served }];
  });
  const trying = serving.find(({ away }) => !away)?.instance;
  return (
    <>
      {trying === undefined ? null : <Trials pool={pool.name} router={trying} />}
      <footer className="serving">
        <span className="faint">
          {pool.artifactVersion === undefined ? 'No artifact' : `Artifact v${pool.artifactVersion}`} · tau {decimal(pool.tau, 3)} · on
        </span>
        {serving.map(({ instance, away, served }) => (
          <Link key={instance} to="/routers" className="quiet-link">
            <Status tone={away ? 'warn' : tone(served)}>
              <span className="clip">{instance}</span> <span className="faint">gen {served.generation}</span>
              {served.nack === undefined ? null : <Badge tone="bad">refused {served.nack.generation}</Badge>}
            </Status>
          </Link>
        ))}
        <Button small variant="ghost" refusal={refusal} onPress={() => setChanging(true)}>
          Change routing
        </Button>
        {changing ? <ChangeRouting pool={pool.name} onClose={() => setChanging(false)} /> : null}
      </footer>
    </>
  );
}

function tone(served: RouterPool): Tone {
  return served.nack !== undefined ? 'bad' : served.behind ? 'warn' : 'good';
}
