import { useCallback, useMemo, useRef, useState } from 'react';
import type { ClusterExperts } from '../../api/views';
import { useIsDark } from '../../app/preferences';
import { token } from '../../charts/colours';
import { useCanvas, useWidth } from '../../charts/use-canvas';
import { change, percent } from '../../format/number';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';

const AXIS = 30;
const MOST_IN_TABLE = 5;

/** Each layer (row) and expert (column): bluer where the cluster uses it more than the mean, more orange where less. */
export function ExpertMap({ experts, mask }: { readonly experts: ClusterExperts; readonly mask: readonly number[] }) {
  const [asTable, setAsTable] = useState(false);
  return (
    <div className="stack-s">
      <div className="row-apart">
        <span className="row faint">
          <span className="scale" aria-hidden="true" /> less than the mean · as the mean · more
        </span>
        <Button small onPress={() => setAsTable(!asTable)}>
          <Icon name={asTable ? 'clusters' : 'table'} /> {asTable ? 'Heat map' : 'Table'}
        </Button>
      </div>
      {asTable ? <ExpertTable experts={experts} mask={mask} /> : <HeatMap experts={experts} mask={mask} />}
    </div>
  );
}

function HeatMap({ experts, mask }: { readonly experts: ClusterExperts; readonly mask: readonly number[] }) {
  const holder = useRef<HTMLDivElement>(null);
  const width = useWidth(holder);
  const dark = useIsDark();
  const [at, setAt] = useState<readonly [row: number, column: number]>();
  const columns = experts.use[0]?.length ?? 0;
  const rows = experts.layers.length;
  const rowHeight = Math.max(3, Math.min(14, Math.floor(480 / Math.max(1, rows))));
  const height = rows * rowHeight;
  const cell = Math.max(0.5, (width - AXIS) / Math.max(1, columns));
  const scale = useMemo(() => strongest(experts), [experts]);

  const draw = useCallback(
    (context: CanvasRenderingContext2D) => {
      const more = token('--locality');
      const less = token('--reference');
      experts.use.forEach((row, i) =>
        row.forEach((use, j) => {
          const lead = use - (experts.mean[i]?.[j] ?? 0);
          context.globalAlpha = Math.min(1, Math.abs(lead) / scale) ** 0.8;
          context.fillStyle = lead > 0 ? more : less;
          context.fillRect(AXIS + j * cell, i * rowHeight, Math.max(0.5, cell - (cell > 4 ? 0.5 : 0)), rowHeight - (rowHeight > 5 ? 0.5 : 0));
        }),
      );
      context.globalAlpha = 1;
      context.font = '10px "Inter Variable", system-ui, sans-serif';
      context.textAlign = 'right';
      context.textBaseline = 'middle';
      experts.layers.forEach((layer, i) => {
        const masked = mask.includes(layer);
        if (masked || (i % 8 === 0 && !mask.some((other) => Math.abs(other - layer) < 2))) {
          context.fillStyle = token(masked ? '--text' : '--text-3');
          context.fillText(String(layer), AXIS - 8, i * rowHeight + rowHeight / 2);
        }
        if (masked) {
          context.fillStyle = token('--accent');
          context.fillRect(AXIS - 5, i * rowHeight, 3, rowHeight - 0.5);
        }
      });
      if (at !== undefined) {
        context.strokeStyle = token('--text');
        context.lineWidth = 1.5;
        context.strokeRect(AXIS + at[1] * cell - 1, at[0] * rowHeight - 1, cell + 2, rowHeight + 2);
      }
    },
    // The colours of the tokens change with the theme.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [experts, mask, cell, rowHeight, scale, at, dark],
  );
  const canvas = useCanvas(width, height, draw);
  const move = (row: number, column: number): void => setAt([Math.min(rows - 1, Math.max(0, row)), Math.min(columns - 1, Math.max(0, column))]);

  return (
    <div ref={holder} className="stack-s">
      {/* Arrow keys move over the cells, and what they are is said. */}
      <div
        role="application"
        aria-label={`Heat map of ${experts.slot}: arrow keys move over layers and experts; the button Table shows the strongest`}
        tabIndex={0}
        onKeyDown={(event) => {
          const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
          if (step !== undefined) {
            event.preventDefault();
            move((at?.[0] ?? 0) + (step[0] ?? 0), (at?.[1] ?? 0) + (step[1] ?? 0));
          }
        }}
      >
        <canvas
          ref={canvas}
          onPointerMove={(event) => {
            const box = event.currentTarget.getBoundingClientRect();
            const column = Math.floor((event.clientX - box.left - AXIS) / cell);
            if (column >= 0) {
              move(Math.floor((event.clientY - box.top) / rowHeight), column);
            }
          }}
          onPointerLeave={() => setAt(undefined)}
        />
      </div>
      <p className="faint" aria-live="polite">
        {at === undefined ? 'Layers down, experts across. Layers of the mask are marked.' : said(experts, at[0], at[1])}
      </p>
    </div>
  );
}

function said(experts: ClusterExperts, row: number, column: number): string {
  const use = experts.use[row]?.[column] ?? 0;
  const mean = experts.mean[row]?.[column] ?? 0;
  return `Layer ${experts.layers[row] ?? row}, expert ${column}: ${percent(use)} of its tokens select it, ${percent(mean)} in the mean${mean > 0 ? ` (${change(use / mean - 1, 0)})` : ''}.`;
}

/** What is drawn at full strength: nearly the strongest difference, so that one cell does not pale all others. */
function strongest(experts: ClusterExperts): number {
  const leads = experts.use.flatMap((row, i) => row.map((use, j) => Math.abs(use - (experts.mean[i]?.[j] ?? 0)))).sort((a, b) => a - b);
  return Math.max(1e-6, leads[Math.floor(leads.length * 0.995)] ?? 1e-6);
}

function ExpertTable({ experts, mask }: { readonly experts: ClusterExperts; readonly mask: readonly number[] }) {
  return (
    <div className="tall-scroll" role="region" aria-label="Strongest experts of each layer" tabIndex={0}>
      <table className="plain">
        <thead>
          <tr>
            <th scope="col">Layer</th>
            <th scope="col">Experts with the largest lead: use, and the mean</th>
          </tr>
        </thead>
        <tbody>
          {experts.layers.map((layer, i) => (
            <tr key={layer}>
              <th scope="row">
                {layer}
                {mask.includes(layer) ? ' (mask)' : ''}
              </th>
              <td>{leaders(experts.use[i] ?? [], experts.mean[i] ?? [])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function leaders(use: readonly number[], mean: readonly number[]): string {
  return use
    .map((share, expert) => ({ expert, share, mean: mean[expert] ?? 0 }))
    .sort((a, b) => b.share - b.mean - (a.share - a.mean))
    .slice(0, MOST_IN_TABLE)
    .map(({ expert, share, mean: usual }) => `${expert}: ${percent(share, 0)} (${percent(usual, 0)})`)
    .join(',  ');
}
