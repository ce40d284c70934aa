import { useQuery } from '@tanstack/react-query';
import { path, type RestCall } from '../../api/call';
import type { components } from '../../api/generated/router';
import { reading, registry } from '../../api/queries';
import type { Pool } from '../../api/views';
import { change, decimal, integer, milliseconds, percent, plural } from '../../format/number';
import { Badge } from '../../ui/badge';

type Views = components['schemas'];

const EVERY = 15_000;

/** What policies on trial were found to be worth, by one router that tried them; nothing where none is tried. */
export function Trials({ pool, router }: { readonly pool: string; readonly router: string }) {
  const settings = useQuery(registry<Pool>(path`/v1/pools/${pool}`, EVERY)).data;
  if (settings?.shadow === undefined && settings?.switchback === undefined) {
    return null;
  }
  return (
    <ul className="trials">
      {settings.shadow === undefined ? null : <ShadowTrial policy={settings.shadow.policy} call={call(router, path`/v1/pools/${pool}/shadow`)} />}
      {settings.switchback === undefined ? null : <Turns call={call(router, path`/v1/pools/${pool}/switchback`)} />}
    </ul>
  );
}

function call(router: string, at: string): RestCall {
  return { service: { name: 'router', instance: router }, method: 'GET', path: at };
}

function ShadowTrial({ policy, call: asked }: { readonly policy?: string | undefined; readonly call: RestCall }) {
  const trial = useQuery(reading<Views['Shadow']>(asked, EVERY)).data;
  // A router that has not followed yet tells of the one before.
  const figures = trial?.shadow?.policy === policy ? trial?.figures : undefined;
  return (
    <li>
      Shadow <Badge tone="accent">{policy ?? '–'}</Badge>{' '}
      {figures === undefined ? (
        <span className="muted">has not decided yet</span>
      ) : (
        <span className="muted">
          chooses the same decoder in {percent(figures.agreement)} of {plural(figures.decisions ?? 0, 'decision')}; similarity {signed(figures.meanSimilarityDifference, 3)}, load{' '}
          {signed(figures.meanLoadDifference, 1)} requests
          {figures.meanPriceDifferenceMs !== undefined && `, predicted cost ${signed(figures.meanPriceDifferenceMs, 2)} ms`}
        </span>
      )}
    </li>
  );
}

function Turns({ call: asked }: { readonly call: RestCall }) {
  const trial = useQuery(reading<Views['Switchback']>(asked, EVERY)).data;
  const [first, second] = trial?.arms ?? [];
  return (
    <li>
      Turns of {integer(trial?.minutes)} min{' '}
      {[first, second].map((arm, i) => (
        <span key={i} className="nowrap">
          <Badge tone={arm?.policy === trial?.current?.policy ? 'accent' : 'neutral'}>{arm?.policy ?? '–'}</Badge>{' '}
          <span className="muted">
            {milliseconds(arm?.medianTpotMs)} in {plural(arm?.windows ?? 0, 'turn')}
          </span>{' '}
        </span>
      ))}
      {trial?.change === undefined ? null : (
        <span className="muted">
          · {second?.policy} {change(trial.change.median)}
          {trial.change.interval === undefined ? '' : ` (95 %: ${change(trial.change.interval.low)} to ${change(trial.change.interval.high)})`}
        </span>
      )}
    </li>
  );
}

function signed(value: number | undefined, digits: number): string {
  return value !== undefined && value > 0 ? `+${decimal(value, digits)}` : decimal(value, digits);
}
