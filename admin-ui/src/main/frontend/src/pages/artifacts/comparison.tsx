import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { path } from '../../api/call';
import { registry } from '../../api/queries';
import type { Artifact } from '../../api/views';
import { useZone } from '../../app/preferences';
import { bytes, decimal, integer, percent } from '../../format/number';
import { dateTime } from '../../format/time';
import { chosenRho, decidingBatch, hottestShare, reportOf } from '../../report/report';
import { Badge } from '../../ui/badge';
import { Card } from '../../ui/card';
import { Failure, Loading } from '../../ui/states';

interface Trait {
  readonly name: string;
  readonly of: (artifact: Artifact) => ReactNode;
}

/** Two versions side by side; what differs stands out. */
export function Comparison({ pool, versions }: { readonly pool: string; readonly versions: readonly number[] }) {
  const zone = useZone();
  const found = useQueries({ queries: versions.map((version) => registry<Artifact>(path`/v1/pools/${pool}/artifacts/${version}`)) });
  const failed = found.find((query) => query.isError);
  const [left, right] = found.map((query) => query.data);
  if (failed !== undefined) {
    return (
      <Card title="Side by side">
        <Failure failure={failed.error} onRetry={() => void failed.refetch()} />
      </Card>
    );
  }
  if (left === undefined || right === undefined) {
    return (
      <Card title="Side by side">
        <Loading what="both versions" lines={6} />
      </Card>
    );
  }
  const traits: readonly Trait[] = [
    { name: 'Made', of: (artifact) => dateTime(artifact.createdAt, zone) },
    { name: 'Representation', of: (artifact) => artifact.representation },
    { name: 'Layers in mask', of: (artifact) => artifact.mask.join(', ') },
    { name: 'Recommended tau', of: (artifact) => decimal(artifact.recommendedTau, 4) },
    { name: 'Clusters', of: (artifact) => artifact.slots.length },
    { name: 'Rho, held out', of: (artifact) => decimal(chosenRho(reportOf(artifact.report)), 3) },
    { name: 'Fewer experts per step', of: (artifact) => reduction(artifact) },
    { name: 'Mean band', of: (artifact) => decimal(reportOf(artifact.report)?.heldOut?.meanBand, 2) },
    { name: 'Hottest held-out share', of: (artifact) => percent(hottestShare(reportOf(artifact.report))) },
    { name: 'Samples', of: (artifact) => integer(reportOf(artifact.report)?.requests) },
    { name: 'Model revision', of: (artifact) => artifact.revision ?? '–' },
    { name: 'Size', of: (artifact) => bytes(artifact.sizeBytes) },
    { name: 'SHA-256', of: (artifact) => <span className="mono">{artifact.sha256.slice(0, 16)}…</span> },
  ];
  return (
    <Card title="Side by side" flush>
      <div className="scroll-x" role="region" aria-label="Two versions side by side" tabIndex={0}>
        <table className="plain side-by-side">
          <thead>
            <tr>
              <td />
              {[left, right].map((artifact) => (
                <th key={artifact.version} scope="col">
                  v{artifact.version} {artifact.active ? <Badge tone="good">active</Badge> : null}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {traits.map((trait) => {
              const [a, b] = [trait.of(left), trait.of(right)];
              const same = typeof a === 'object' ? left.sha256 === right.sha256 : a === b;
              return (
                <tr key={trait.name} className={same ? 'same' : ''}>
                  <th scope="row">{trait.name}</th>
                  <td>{a}</td>
                  <td>{b}</td>
                </tr>
              );
            })}
            <tr>
              <th scope="row">Held-out shares</th>
              {[left, right].map((artifact) => (
                <td key={artifact.version}>
                  <Shares artifact={artifact} />
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function reduction(artifact: Artifact): string {
  const batch = decidingBatch(reportOf(artifact.report));
  return batch === undefined ? '–' : `${decimal(batch.reductionPct, 1)} % (${decimal(batch.low, 1)} to ${decimal(batch.high, 1)}) at batch ${batch.batch}`;
}

function Shares({ artifact }: { readonly artifact: Artifact }) {
  const shares = reportOf(artifact.report)?.heldOut?.shares;
  if (shares === undefined || shares.length === 0) {
    return <span className="faint">not measured</span>;
  }
  const most = Math.max(...shares);
  return (
    <span className="mini-bars" role="img" aria-label={`From ${percent(Math.min(...shares))} to ${percent(most)}`}>
      {shares.map((share, i) => (
        <span key={i} style={{ height: `${(share / most) * 100}%` }} title={`${artifact.slots[i] ?? i}: ${percent(share)}`} />
      ))}
    </span>
  );
}
