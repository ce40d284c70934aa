import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { path } from '../../api/call';
import { CallFailed } from '../../api/problem';
import { gathered } from '../../api/queries';
import type { PoolMap } from '../../api/types';
import type { Clusters } from '../../api/views';
import { Page } from '../../app/page';
import { useIsDark } from '../../app/preferences';
import { categorical } from '../../charts/colours';
import { plural } from '../../format/number';
import { Card } from '../../ui/card';
import { byName } from '../../ui/order';
import { Empty, Failure, Loading, Note } from '../../ui/states';
import { ClusterDetail } from './cluster-detail';
import { ClusterTable } from './cluster-table';
import { Distances } from './distances';
import { SignatureMap } from './signature-map';

export function ClustersPage() {
  const { pool } = useParams({ from: '/pools/$pool/clusters' });
  const clusters = useQuery(gathered<Clusters>(path`api/pools/${pool}/clusters`, 30_000));
  const map = useQuery(gathered<PoolMap>(path`api/pools/${pool}/map`, 5_000));
  const [selected, setSelected] = useState(0);
  const dark = useIsDark();

  const slots = clusters.data?.clusters.map((cluster) => cluster.slot).join('\n') ?? '';
  const colours = useMemo(
    () => new Map(slots.split('\n').sort(byName).map((slot, i) => [slot, categorical(i, dark)])),
    [slots, dark],
  );
  const data = clusters.data;
  const chosen = data?.clusters.find((cluster) => cluster.cluster === selected) ?? data?.clusters[0];

  return (
    <Page
      title="Clusters"
      pool={pool}
      about={
        data === undefined
          ? 'Which decoder serves which kind of request, and what sets the kinds apart.'
          : `${plural(data.clusters.length, 'cluster')} of artifact v${data.version}; signatures are made of ${data.mask.length === data.layers ? 'all layers' : `layers ${data.mask.join(', ')} of ${data.layers}`}.`
      }
    >
      {clusters.isPending ? <Loading what="clusters" lines={10} /> : null}
      {clusters.isError ? <NoClusters pool={pool} failure={clusters.error} onRetry={() => void clusters.refetch()} /> : null}
      {data === undefined ? null : (
        <>
          <div className="two">
            <SignatureMap query={map} colours={colours} />
            <Distances clusters={data} spill={map.data?.spill} />
          </div>
          <ClusterTable clusters={data} spill={map.data?.spill} colours={colours} selected={chosen?.cluster} onSelect={setSelected} />
          {chosen === undefined ? null : <ClusterDetail pool={pool} version={data.version} cluster={chosen} mask={data.mask} />}
        </>
      )}
    </Page>
  );
}

function NoClusters({ pool, failure, onRetry }: { readonly pool: string; readonly failure: unknown; readonly onRetry: () => void }) {
  if (failure instanceof CallFailed && failure.status === 404) {
    return (
      <Card title="Clusters">
        <Empty title="This pool serves no artifact yet" action={<Link to="/pools/$pool/refits" params={{ pool }}>Go to refits</Link>}>
          Clusters come with the first artifact. Until then requests go to the least loaded decoder.
        </Empty>
        <Note>{failure.message}</Note>
      </Card>
    );
  }
  return <Failure failure={failure} onRetry={onRetry} />;
}
