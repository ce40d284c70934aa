import { useQuery } from '@tanstack/react-query';
import { path } from '../../api/call';
import { registry } from '../../api/queries';
import type { Cluster, ClusterExperts } from '../../api/views';
import { Bars } from '../../charts/plots';
import { decimal, integer, percent } from '../../format/number';
import { Card } from '../../ui/card';
import { Failure, Loading } from '../../ui/states';
import { ExpertMap } from './expert-map';

const BASIS: Readonly<Record<string, string>> = {
  decode: 'what its requests used while decoding',
  prompt: 'what its prompts used: decode counts are not known',
  pool: 'what all requests used: none of its own are known',
  centroid: 'its centroid alone',
};

/** Which experts and layers set a cluster apart, and which labels fall into it. */
export function ClusterDetail({ pool, version, cluster, mask }: { readonly pool: string; readonly version: number; readonly cluster: Cluster; readonly mask: readonly number[] }) {
  const experts = useQuery(registry<ClusterExperts>(path`/v1/pools/${pool}/artifacts/${version}/clusters/${cluster.cluster}/experts`));
  const labels = Object.entries(cluster.labels).sort(([, a], [, b]) => b - a);
  const total = labels.reduce((sum, [, count]) => sum + count, 0);
  return (
    <div className="two two-wide">
      <Card title={`Experts of ${cluster.slot}`} about={`Use against the mean of all clusters, by ${BASIS[cluster.basis] ?? cluster.basis}`}>
        {experts.isPending ? <Loading what="experts" lines={8} /> : null}
        {experts.isError ? <Failure failure={experts.error} onRetry={() => void experts.refetch()} /> : null}
        {experts.data === undefined ? null : <ExpertMap experts={experts.data} mask={mask} />}
      </Card>
      <div className="stack">
        <Card title="What sets it apart" about="The experts with the largest lead over the other clusters">
          <Bars
            label="Experts with the largest lead"
            second="the mean of the other clusters"
            bars={cluster.distinctExperts.slice(0, 10).map((expert) => ({
              name: `layer ${expert.layer} · expert ${expert.expert}`,
              value: expert.use,
              text: percent(expert.use, 0),
              second: { value: expert.elsewhere, text: percent(expert.elsewhere, 0) },
              strong: mask.includes(expert.layer),
            }))}
          />
        </Card>
        <Card title="Labels" about={total === 0 ? 'Its samples have no labels.' : `Of ${integer(total)} of the newest samples`}>
          <Bars
            label="Labels of its samples"
            bars={labels.slice(0, 12).map(([label, count]) => ({ name: label, value: count, text: percent(count / total) }))}
          />
        </Card>
        <Card title="Contrast by layer" about="How far its use of a layer’s experts is from the others’: 0 the same, 1 nothing in common">
          <div className="mini-bars mini-bars-wide" role="img" aria-label={`Largest in layer ${largest(cluster.layerContrast)}`}>
            {cluster.layerContrast.map((contrast, layer) => (
              <span
                key={`layer ${layer}`}
                className={mask.includes(layer) ? '' : 'unmasked'}
                style={{ height: `${Math.min(1, contrast / Math.max(0.01, ...cluster.layerContrast)) * 100}%` }}
                title={`layer ${layer}: ${decimal(contrast, 3)}${mask.includes(layer) ? ', in the mask' : ''}`}
              />
            ))}
          </div>
          <p className="faint">Layer 0 on the left; those of the mask are stronger.</p>
        </Card>
      </div>
    </div>
  );
}

function largest(values: readonly number[]): number {
  return values.reduce((best, value, i) => (value > (values[best] ?? -1) ? i : best), 0);
}
