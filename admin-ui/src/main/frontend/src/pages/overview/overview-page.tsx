import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Page } from '../../app/page';
import { integer } from '../../format/number';
import { sameItems, useIsStale, useLive } from '../../live/use-live';
import { byName } from '../../ui/order';
import { Empty, Loading } from '../../ui/states';
import { Comparison } from './comparison';
import { PoolCard } from './pool-card';
import { twins } from './twins';

export function OverviewPage() {
  // One text for each pool, so that only what changes the page's structure renders it.
  const pools = useLive(
    ({ state }) => state?.pools.map(({ name, model, policy }) => JSON.stringify([name, model, policy])) ?? [],
    sameItems,
  );
  const known = useLive(({ state }) => state !== undefined);
  const stale = useIsStale();
  const { names, pair } = useMemo(() => {
    const parsed = pools.map((text) => JSON.parse(text) as [string, string, string]);
    const found = twins(parsed.map(([name, model, policy]) => ({ name, model, policy })));
    const first = found === undefined ? [] : [found.locality, found.reference];
    const rest = parsed.map(([name]) => name).filter((name) => !first.includes(name));
    return { names: [...first, ...rest.sort(byName)], pair: found };
  }, [pools]);

  return (
    <Page title="Overview">
      <div className={stale ? 'stack is-stale' : 'stack'}>
        {pair === undefined ? null : <Comparison {...pair} />}
        {known ? null : <Loading what="the live state" lines={8} />}
        {known && names.length === 0 ? <NoPool /> : null}
        <div className="pools">
          {names.map((name) => (
            <PoolCard key={name} name={name} withChart={pair === undefined || (name !== pair.locality && name !== pair.reference)} />
          ))}
        </div>
      </div>
    </Page>
  );
}

/** Why there is nothing to see: nothing is there yet, or what would tell is away. */
function NoPool() {
  const calibrationAway = useLive(({ state }) => state?.calibration.stale === true);
  const routers = useLive(({ state }) => state?.routers.length ?? 0);
  const away = useLive(({ state }) => state?.routers.filter((router) => router.health.stale).length ?? 0);
  if (routers > 0 && away === routers) {
    return (
      <Empty title={routers === 1 ? 'The router does not answer' : `None of ${integer(routers)} routers answers`} action={<Link to="/routers">See why on the Routers page</Link>}>
        What they serve is not known here until one answers. Artifacts, refits and the audit log are there as before.
      </Empty>
    );
  }
  if (calibrationAway && routers === 0) {
    return (
      <Empty title="No router is known while the calibration service is away">
        It knows where they are. Routers route all the same, from what they last had; pools show up here as soon as it answers. To
        see routers meanwhile, name them in eldr.admin.routers.
      </Empty>
    );
  }
  return (
    <Empty title="No router serves a pool yet">
      Create a pool with POST /v1/pools of the calibration service and register its decoders. Routers show up here within a second.
    </Empty>
  );
}
