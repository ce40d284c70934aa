import type { Cluster, Clusters } from '../../api/views';
import { decimal, integer, percent } from '../../format/number';
import { Card } from '../../ui/card';
import { type Column, DataTable } from '../../ui/data-table';
import { Empty } from '../../ui/states';
import { nearestOther, spillOf } from './spill';

interface ClusterTableProps {
  readonly clusters: Clusters;
  readonly spill: readonly (readonly number[])[] | undefined;
  readonly colours: ReadonlyMap<string, string>;
  readonly selected: number | undefined;
  readonly onSelect: (cluster: number) => void;
}

/** Each cluster: who serves it, how big it is, what falls into it, and what leaves it. */
export function ClusterTable({ clusters, spill, colours, selected, onSelect }: ClusterTableProps) {
  const slotOf = (cluster: number): string => clusters.clusters[cluster]?.slot ?? `cluster ${cluster}`;
  const columns: readonly Column<Cluster>[] = [
    {
      id: 'decoder',
      header: 'Decoder',
      width: 'minmax(110px, 1fr)',
      sortBy: (cluster) => cluster.slot,
      cell: (cluster) => (
        <button type="button" className="pick-row decoder" onClick={() => onSelect(cluster.cluster)} aria-pressed={cluster.cluster === selected}>
          <span className="swatch" style={{ background: colours.get(cluster.slot) }} />
          <span className="clip">{cluster.slot}</span>
        </button>
      ),
    },
    { id: 'size', header: <span title="Requests of the fit">Size</span>, width: '52px', align: 'end', wideOnly: true, sortBy: (cluster) => cluster.fittedRequests, cell: (cluster) => integer(cluster.fittedRequests) },
    { id: 'held', header: <span title="Share of the held-out requests that are nearest to it">Held out</span>, width: '66px', align: 'end', wideOnly: true, sortBy: (cluster) => cluster.heldOutShare, cell: (cluster) => percent(cluster.heldOutShare) },
    {
      id: 'share',
      header: <span title="Share of the newest samples that are nearest to it">Share</span>,
      width: '58px',
      align: 'end',
      sortBy: (cluster) => cluster.sampledRequests,
      cell: (cluster) => percent(clusters.samples === 0 ? undefined : cluster.sampledRequests / clusters.samples),
    },
    { id: 'labels', header: 'Labels', width: 'minmax(120px, 2fr)', wideOnly: true, cell: (cluster) => <Labels labels={cluster.labels} /> },
    {
      id: 'spill',
      header: <span title="Recent requests nearest to it that another decoder got">Spill</span>,
      width: '58px',
      align: 'end',
      sortBy: (cluster) => spillOf(spill ?? [], cluster.cluster)?.rate,
      cell: (cluster) => percent(spillOf(spill ?? [], cluster.cluster)?.rate),
    },
    {
      id: 'to',
      header: 'Spills to',
      width: 'minmax(96px, 1.2fr)',
      cell: (cluster) => (
        <span className="clip muted">
          {spillOf(spill ?? [], cluster.cluster)
            ?.to.slice(0, 2)
            .map((target) => `${slotOf(target.cluster)} ${percent(target.share, 0)}`)
            .join(', ')}
        </span>
      ),
    },
    {
      id: 'nearest',
      header: <span title="The cluster whose centroid is nearest, and how far it is: one less the cosine">Nearest</span>,
      width: 'minmax(110px, 1fr)',
      wideOnly: true,
      sortBy: (cluster) => nearestOther(clusters.distances, cluster.cluster)?.distance,
      cell: (cluster) => {
        const near = nearestOther(clusters.distances, cluster.cluster);
        return near === undefined ? '–' : <span className="clip">{slotOf(near.cluster)} <span className="faint">{decimal(near.distance, 3)}</span></span>;
      },
    },
  ];
  return (
    <Card title="Clusters" about={`Shares and labels are of the newest ${integer(clusters.samples)} samples; spill is of recent decisions. Choose one to see its experts.`} flush>
      <DataTable
        label="Clusters"
        columns={columns}
        rows={clusters.clusters}
        rowKey={(cluster) => cluster.cluster}
        initialOrder={{ column: 'decoder', descending: false }}
        isSelected={(cluster) => cluster.cluster === selected}
        maxHeight={420}
        minWidth={780}
        empty={<Empty title="The artifact has no clusters" />}
      />
    </Card>
  );
}

/** The most frequent labels, with the part that each makes up. */
function Labels({ labels }: { readonly labels: Readonly<Record<string, number>> }) {
  const entries = Object.entries(labels).sort(([, a], [, b]) => b - a);
  const total = entries.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) {
    return <span className="faint">no labels</span>;
  }
  return (
    <span className="label-mix" title={entries.map(([label, count]) => `${label} ${percent(count / total, 0)}`).join('\n')}>
      <span className="label-bar" aria-hidden="true">
        {entries.slice(0, 4).map(([label, count], i) => (
          <span key={label} className={`label-part label-${i}`} style={{ width: `${(count / total) * 100}%` }} />
        ))}
      </span>
      <span className="clip muted">
        {entries
          .slice(0, 3)
          .map(([label, count]) => `${label} ${percent(count / total, 0)}`)
          .join(', ')}
      </span>
    </span>
  );
}
