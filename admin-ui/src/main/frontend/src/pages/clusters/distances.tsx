import { useCallback, useRef, useState } from 'react';
import type { Clusters } from '../../api/views';
import { useIsDark } from '../../app/preferences';
import { token } from '../../charts/colours';
import { useCanvas, useWidth } from '../../charts/use-canvas';
import { decimal, percent } from '../../format/number';
import { Card } from '../../ui/card';
import { Select } from '../../ui/field';
import { spillOf } from './spill';

/** More than this and numbers no longer fit. */
const MOST_WRITTEN = 10;

type Kind = 'distance' | 'spill';

/** How far the centroids are apart, or where requests went: each cluster (row) against each (column). */
export function Distances({ clusters, spill }: { readonly clusters: Clusters; readonly spill: readonly (readonly number[])[] | undefined }) {
  const [kind, setKind] = useState<Kind>('distance');
  const names = clusters.clusters.map((cluster) => cluster.slot);
  const values: readonly (readonly number[])[] = kind === 'distance' ? clusters.distances : (spill ?? []).map((row, i) => shares(row, spillOf(spill ?? [], i)?.requests ?? 0));
  const most = Math.max(1e-9, ...values.flatMap((row, i) => row.filter((_, j) => kind === 'distance' || i !== j)));
  const write = (value: number): string => (kind === 'distance' ? decimal(value, 2) : value === 0 ? '' : percent(value, 0));
  return (
    <Card
      title={kind === 'distance' ? 'How far apart clusters are' : 'Where requests went'}
      about={kind === 'distance' ? 'One less the cosine of their centroids: 0 is the same.' : 'Recent requests by nearest cluster (row) and by the decoder that got them (column).'}
      actions={
        <Select
          label="Show"
          hideLabel
          value={kind}
          onChange={(value) => setKind(value === 'spill' ? 'spill' : 'distance')}
          options={[
            { value: 'distance', name: 'Distances' },
            { value: 'spill', name: 'Spill' },
          ]}
        />
      }
    >
      {names.length <= MOST_WRITTEN ? <Written names={names} values={values} most={most} write={write} /> : <Drawn names={names} values={values} most={most} write={write} />}
    </Card>
  );
}

function shares(row: readonly number[], total: number): readonly number[] {
  return row.map((count) => (total === 0 ? 0 : count / total));
}

interface MatrixProps {
  readonly names: readonly string[];
  readonly values: readonly (readonly number[])[];
  readonly most: number;
  readonly write: (value: number) => string;
}

function Written({ names, values, most, write }: MatrixProps) {
  return (
    <div className="scroll-x" role="region" aria-label="Clusters against each other" tabIndex={0}>
      <table className="matrix">
        <thead>
          <tr>
            <td />
            {names.map((name) => (
              <th key={name} scope="col" title={name}>
                <span>{shortened(name)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((name, i) => (
            <tr key={name}>
              <th scope="row" className="clip">
                {name}
              </th>
              {names.map((other, j) => {
                const value = values[i]?.[j] ?? 0;
                const part = i === j ? 0 : Math.min(1, value / most);
                return (
                  <td key={other} title={`${name} and ${other}: ${write(value)}`} style={{ background: `color-mix(in oklab, var(--locality) ${(part * 48).toFixed(0)}%, transparent)` }}>
                    {i === j ? '' : write(value)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The number at a name's end is what tells decoders apart. */
function shortened(name: string): string {
  return /(\d+)$/.exec(name)?.[1] ?? name.slice(0, 4);
}

/** Without numbers; the table of clusters names the nearest of each, and where it spills to. */
function Drawn({ names, values, most, write }: MatrixProps) {
  const holder = useRef<HTMLDivElement>(null);
  const side = Math.min(420, useWidth(holder));
  const dark = useIsDark();
  const [at, setAt] = useState<readonly [number, number]>();
  const draw = useCallback(
    (context: CanvasRenderingContext2D) => {
      context.fillStyle = token('--locality');
      const cell = side / Math.max(1, values.length);
      values.forEach((row, i) =>
        row.forEach((value, j) => {
          if (i !== j) {
            context.globalAlpha = Math.min(1, value / most);
            context.fillRect(j * cell, i * cell, cell, cell);
          }
        }),
      );
    },
    // The colours of the tokens change with the theme.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [values, most, side, dark],
  );
  const canvas = useCanvas(side, side, draw);
  const value = at === undefined ? undefined : values[at[0]]?.[at[1]];
  return (
    <div ref={holder} className="stack-s">
      <canvas
        ref={canvas}
        role="img"
        aria-label="Clusters against each other; the table below names the nearest of each"
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          setAt([Math.floor(((event.clientY - box.top) / side) * names.length), Math.floor(((event.clientX - box.left) / side) * names.length)]);
        }}
        onPointerLeave={() => setAt(undefined)}
      />
      <p className="faint">{at === undefined || value === undefined ? 'Point at a cell to read it.' : `${names[at[0]] ?? ''} and ${names[at[1]] ?? ''}: ${write(value)}`}</p>
    </div>
  );
}
