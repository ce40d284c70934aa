import type { UseQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { MapPoint, PoolMap } from '../../api/types';
import { useIsDark, useZone } from '../../app/preferences';
import { token } from '../../charts/colours';
import { useCanvas, useWidth } from '../../charts/use-canvas';
import { decimal, percent, plural } from '../../format/number';
import { dateTime, timeOfDay } from '../../format/time';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { type Column, DataTable } from '../../ui/data-table';
import { Icon } from '../../ui/icon';
import { Empty, Failure, Loading, Note } from '../../ui/states';
import { DecisionDialog } from './decision-dialog';
import { baselines } from './labels';
import { nearestPoint, projection } from './projection';

const HEIGHT = 372;
const REACH = 14;
const MOST_LABELS = 32;

interface SignatureMapProps {
  readonly query: UseQueryResult<PoolMap>;
  readonly colours: ReadonlyMap<string, string>;
}

/** Recent requests where their signatures lie, in the colour of the decoder that got them. */
export function SignatureMap({ query, colours }: SignatureMapProps) {
  const [asTable, setAsTable] = useState(false);
  const [shown, setShown] = useState<string>();
  const map = query.data;
  return (
    <Card
      title="Recent requests"
      about={
        map === undefined
          ? undefined
          : `${plural(map.points.length, 'request')} on the two main axes of the centroids (${map.explained.map((part) => percent(part, 0)).join(' and ')} of their variance)`
      }
      actions={
        <Button small onPress={() => setAsTable(!asTable)}>
          <Icon name={asTable ? 'clusters' : 'table'} /> {asTable ? 'Map' : 'Table'}
        </Button>
      }
      flush
    >
      {query.isPending ? <Loading what="recent requests" lines={8} /> : null}
      {query.isError ? <Failure failure={query.error} onRetry={() => void query.refetch()} /> : null}
      {map?.missing.map((router) => (
        <div key={router.instance} className="card-body">
          <Note tone="warn">
            Decisions of {router.instance} are missing: {router.reason}
          </Note>
        </div>
      ))}
      {map?.points.length === 0 ? (
        <Empty title="No recent request has a signature">The map fills as requests come in whose engine sends expert counts.</Empty>
      ) : null}
      {map === undefined || map.points.length === 0 ? null : asTable ? (
        <PointTable map={map} colours={colours} onShow={setShown} />
      ) : (
        <Plane map={map} colours={colours} onShow={setShown} />
      )}
      {shown === undefined ? null : <DecisionDialog requestId={shown} onClose={() => setShown(undefined)} />}
    </Card>
  );
}

interface PlaneProps {
  readonly map: PoolMap;
  readonly colours: ReadonlyMap<string, string>;
  readonly onShow: (requestId: string) => void;
}

function Plane({ map, colours, onShow }: PlaneProps) {
  const holder = useRef<HTMLDivElement>(null);
  const width = useWidth(holder);
  const dark = useIsDark();
  const [hovered, setHovered] = useState<MapPoint>();
  const place = useMemo(() => projection([...map.points, ...map.centroids], width, HEIGHT), [map, width]);

  const draw = useCallback(
    (context: CanvasRenderingContext2D) => {
      const text = token('--text');
      const ground = token('--surface');
      context.globalAlpha = 0.62;
      for (const point of map.points) {
        const [x, y] = place(point);
        context.fillStyle = colours.get(point.decoder) ?? text;
        context.beginPath();
        // Requests that another decoder than the nearest got are drawn as squares.
        if (point.cluster !== undefined && point.cluster !== point.nearest) {
          context.rect(x - 2.6, y - 2.6, 5.2, 5.2);
        } else {
          context.arc(x, y, 2.4, 0, 7);
        }
        context.fill();
      }
      context.globalAlpha = 1;
      context.font = '600 11px "Inter Variable", system-ui, sans-serif';
      context.textAlign = 'center';
      for (const centroid of map.centroids) {
        const [x, y] = place(centroid);
        context.beginPath();
        context.arc(x, y, 6, 0, 7);
        context.fillStyle = colours.get(centroid.slot) ?? text;
        context.fill();
        context.lineWidth = 2;
        context.strokeStyle = text;
        context.stroke();
      }
      if (map.centroids.length <= MOST_LABELS) {
        const dots = map.centroids.map((centroid) => {
          const [x, y] = place(centroid);
          return { x, y, width: context.measureText(centroid.slot).width, slot: centroid.slot };
        });
        const heights = baselines(dots);
        context.lineWidth = 3;
        context.strokeStyle = ground;
        context.fillStyle = text;
        dots.forEach(({ x, slot }, i) => {
          const baseline = heights[i] ?? 0;
          context.strokeText(slot, x, baseline);
          context.fillText(slot, x, baseline);
        });
      }
    },
    // The colours of the tokens change with the theme.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [map, place, colours, dark],
  );
  const canvas = useCanvas(width, HEIGHT, draw);

  const find = (event: React.PointerEvent<HTMLCanvasElement>): MapPoint | undefined => {
    const box = event.currentTarget.getBoundingClientRect();
    return nearestPoint(map.points, place, event.clientX - box.left, event.clientY - box.top, REACH);
  };
  const [x, y] = hovered === undefined ? [0, 0] : place(hovered);
  return (
    <div ref={holder} className="plane" style={{ height: HEIGHT }}>
      <canvas
        ref={canvas}
        role="img"
        aria-label="Map of recent requests; the button Table shows the same as a table"
        onPointerMove={(event) => setHovered(find(event))}
        onPointerLeave={() => setHovered(undefined)}
        onPointerUp={(event) => {
          const point = find(event);
          if (point !== undefined) {
            onShow(point.requestId);
          }
        }}
      />
      {hovered === undefined ? null : (
        <div className="plane-tip" style={{ left: Math.min(x + 12, Math.max(0, width - 236)), top: y > HEIGHT / 2 ? y - 138 : y + 12 }}>
          <b className="clip">{hovered.requestId}</b>
          <PointFacts point={hovered} map={map} />
        </div>
      )}
    </div>
  );
}

function PointFacts({ point, map }: { readonly point: MapPoint; readonly map: PoolMap }) {
  const zone = useZone();
  return (
    <dl>
      <dt>Decoder</dt>
      <dd className="clip">{point.decoder}</dd>
      <dt>Nearest</dt>
      <dd className="clip">{slotOf(map, point.nearest)}</dd>
      <dt>Reason</dt>
      <dd>{point.reason}</dd>
      <dt>Similarity</dt>
      <dd>{decimal(point.similarity, 3)}</dd>
      {point.label === undefined ? null : (
        <>
          <dt>Label</dt>
          <dd className="clip">{point.label}</dd>
        </>
      )}
      <dt>Time</dt>
      <dd>{timeOfDay(point.at, zone)}</dd>
    </dl>
  );
}

function slotOf(map: PoolMap, cluster: number): string {
  return map.centroids.find((centroid) => centroid.cluster === cluster)?.slot ?? `cluster ${cluster}`;
}

function PointTable({ map, colours, onShow }: PlaneProps) {
  const zone = useZone();
  const columns: readonly Column<MapPoint>[] = [
    {
      id: 'request',
      header: 'Request',
      width: 'minmax(96px, 1.2fr)',
      cell: (point) => (
        <button type="button" className="pick-row" onClick={() => onShow(point.requestId)}>
          <span className="clip">{point.requestId}</span>
        </button>
      ),
    },
    {
      id: 'decoder',
      header: 'Decoder',
      width: 'minmax(90px, 1fr)',
      sortBy: (point) => point.decoder,
      cell: (point) => (
        <span className="decoder">
          <span className="swatch" style={{ background: colours.get(point.decoder) }} />
          <span className="clip">{point.decoder}</span>
        </span>
      ),
    },
    { id: 'nearest', header: 'Nearest', width: 'minmax(80px, 1fr)', wideOnly: true, sortBy: (point) => point.nearest, cell: (point) => <span className="clip">{slotOf(map, point.nearest)}</span> },
    { id: 'reason', header: 'Reason', width: 'minmax(70px, 0.9fr)', sortBy: (point) => point.reason, cell: (point) => point.reason },
    { id: 'label', header: 'Label', width: 'minmax(60px, 0.8fr)', wideOnly: true, sortBy: (point) => point.label, cell: (point) => <span className="clip">{point.label ?? '–'}</span> },
    { id: 'at', header: 'Time', width: '64px', wideOnly: true, sortBy: (point) => point.at, cell: (point) => <span title={dateTime(point.at, zone)}>{timeOfDay(point.at, zone)}</span> },
  ];
  return <DataTable label="Recent requests" columns={columns} rows={map.points} rowKey={(point) => point.requestId} maxHeight={HEIGHT} empty={null} />;
}
