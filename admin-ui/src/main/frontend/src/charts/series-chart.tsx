import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useIsDark, useZone } from '../app/preferences';
import { decimal } from '../format/number';
import { timeOfDay } from '../format/time';
import { useOnLive } from '../live/use-live';
import { token } from './colours';

export interface SeriesLine {
  readonly label: string;
  readonly colour: `--${string}`;
  readonly dashed?: boolean;
}

interface SeriesChartProps {
  readonly label: string;
  readonly unit: string;
  readonly lines: readonly SeriesLine[];
  /** Seconds first, then one row for each line. Called with every new state. */
  readonly data: () => uPlot.AlignedData;
  readonly height?: number;
  /** Charts of one group show the same moment under the pointer. */
  readonly group?: string;
  /** Shades what lies between the first two lines. */
  readonly shaded?: boolean;
  readonly digits?: number;
}

/** Lines over the last minutes, drawn past React: a new second costs one canvas and no rendering. */
export function SeriesChart({ label, unit, lines, data, height = 150, group, shaded = false, digits = 1 }: SeriesChartProps) {
  const holder = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const latest = useRef(data);
  const dark = useIsDark();
  const zone = useZone();
  const shape = lines.map((line) => `${line.label}|${line.colour}|${line.dashed === true ? 'd' : ''}`).join('\n');

  useEffect(() => {
    latest.current = data;
  });

  useEffect(() => {
    const element = holder.current;
    if (element === null) {
      return;
    }
    const plot = new uPlot(
      options({ lines, unit, height, width: element.clientWidth, zone, digits, shaded, ...(group === undefined ? {} : { group }) }),
      latest.current(),
      element,
    );
    chart.current = plot;
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
      chart.current = undefined;
    };
    // `shape` stands for `lines`, which are new at each rendering.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [shape, unit, height, dark, zone, digits, shaded, group]);

  useOnLive(() => {
    if (chart.current !== undefined && document.visibilityState === 'visible') {
      chart.current.setData(latest.current());
    }
  });

  return <div ref={holder} className="chart" role="img" aria-label={label} style={{ height }} />;
}

interface Shape {
  readonly lines: readonly SeriesLine[];
  readonly unit: string;
  readonly width: number;
  readonly height: number;
  readonly zone: 'local' | 'utc';
  readonly digits: number;
  readonly shaded: boolean;
  readonly group?: string;
}

function options({ lines, unit, width, height, zone, digits, shaded, group }: Shape): uPlot.Options {
  const grid = { stroke: token('--grid'), width: 1 };
  const text = token('--text-3');
  const font = '11px "Inter Variable", system-ui, sans-serif';
  return {
    width,
    height,
    // Half a label of the time axis must fit to the right of the last tick.
    padding: [8, 18, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      points: { size: 6 },
      drag: { x: false, y: false },
      ...(group === undefined ? {} : { sync: { key: group } }),
    },
    ...(shaded ? { bands: [{ series: [2, 1], fill: token('--accent-soft') }] as uPlot.Band[] } : {}),
    scales: {
      x: { time: true },
      y: { range: (_, low, high) => padded(low, high) },
    },
    axes: [
      {
        stroke: text,
        font,
        grid: { show: false },
        ticks: { show: false },
        gap: 6,
        size: 24,
        space: 84,
        values: (_, splits) => splits.map((second) => timeOfDay(second * 1000, zone).slice(0, 5)),
      },
      {
        stroke: text,
        font,
        grid,
        ticks: { show: false },
        gap: 6,
        size: 52,
        space: 30,
        values: (_, splits) => splits.map((value, i) => decimal(value, value >= 100 ? 0 : digits) + (i === splits.length - 1 ? ` ${unit}` : '')),
      },
    ],
    series: [
      {},
      ...lines.map(
        (line): uPlot.Series => ({
          label: line.label,
          stroke: token(line.colour),
          width: 1.75,
          ...(line.dashed === true ? { dash: [4, 3] } : {}),
          points: { show: false },
          // A second without a value is a second missed, not the end of the line.
          spanGaps: true,
        }),
      ),
    ],
  };
}

/** Room above and below, and never so close that noise looks like news. */
function padded(low: number | null, high: number | null): uPlot.Range.MinMax {
  if (low === null || high === null) {
    return [0, 1];
  }
  const middle = (low + high) / 2;
  const half = Math.max((high - low) * 0.6, Math.abs(middle) * 0.06, 1e-6);
  return [Math.max(0, middle - half), middle + half];
}
