import { type ReactNode, useId } from 'react';

interface Bar {
  readonly name: string;
  readonly value: number;
  /** What is written beside the bar. */
  readonly text: string;
  readonly second?: { readonly value: number; readonly text: string };
  readonly colour?: string;
  readonly strong?: boolean;
}

/** Bars with their names and numbers: a table that shows as bars, so that everybody can read it. */
export function Bars({ label, bars, most, reference, second }: { readonly label: string; readonly bars: readonly Bar[]; readonly most?: number; readonly reference?: number; readonly second?: string }) {
  const scale = most ?? Math.max(1e-9, ...bars.map((bar) => Math.max(bar.value, bar.second?.value ?? 0)));
  return (
    <table className="bars">
      <caption className="visually-hidden">
        {label}
        {second === undefined ? '' : `, with ${second} in the paler bar`}
      </caption>
      <tbody>
        {bars.map((bar) => (
          <tr key={bar.name}>
            <th scope="row" className={bar.strong === true ? 'strong' : ''}>
              {bar.name}
            </th>
            <td className="bars-track">
              <span className="bars-line">
                <span className="bars-bar" style={{ width: `${Math.max(0, bar.value / scale) * 100}%`, ...(bar.colour === undefined ? {} : { background: bar.colour }) }} />
                {reference === undefined ? null : <span className="bars-mark" style={{ left: `${(reference / scale) * 100}%` }} />}
              </span>
              {bar.second === undefined ? null : (
                <span className="bars-line">
                  <span className="bars-bar bars-second" style={{ width: `${Math.max(0, bar.second.value / scale) * 100}%` }} />
                </span>
              )}
            </td>
            <td className="end">
              {bar.text}
              {bar.second === undefined ? null : <span className="faint bars-second-text">{bar.second.text}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export interface PlotLine {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly tone?: 'locality' | 'reference' | 'plain';
}

interface LinePlotProps {
  readonly label: string;
  readonly lines: readonly PlotLine[];
  readonly xName: string;
  readonly yName: string;
  readonly writeX?: (x: number) => string;
  readonly writeY: (y: number) => string;
  /** Where a vertical line is drawn, and what it says. */
  readonly mark?: { readonly x: number; readonly text: string };
  readonly dots?: boolean;
  readonly note?: ReactNode;
}

const WIDTH = 480;
const HEIGHT = 200;
const LEFT = 46;
const RIGHT = 10;
const TOP = 12;
const BOTTOM = 34;

/** A small plot of lines that do not move. */
export function LinePlot({ label, lines, xName, yName, writeX = String, writeY, mark, dots = false, note }: LinePlotProps) {
  const id = useId();
  const xs = lines.flatMap((line) => line.points.map(([x]) => x));
  const ys = lines.flatMap((line) => line.points.map(([, y]) => y));
  const [xLow, xHigh] = [Math.min(...xs), Math.max(...xs)];
  const room = Math.max((Math.max(...ys) - Math.min(...ys)) * 0.12, 1e-9);
  const [yLow, yHigh] = [Math.min(...ys) - room, Math.max(...ys) + room];
  const at = (x: number): number => LEFT + ((x - xLow) / Math.max(1e-12, xHigh - xLow)) * (WIDTH - LEFT - RIGHT);
  const up = (y: number): number => HEIGHT - BOTTOM - ((y - yLow) / (yHigh - yLow)) * (HEIGHT - TOP - BOTTOM);
  const ticks = [0, 1 / 3, 2 / 3, 1];
  return (
    <figure className="plot">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={id}>
        <title id={id}>{label}</title>
        {ticks.map((part) => {
          const y = yLow + room + part * (yHigh - yLow - 2 * room);
          return (
            <g key={part}>
              <line className="plot-grid" x1={LEFT} x2={WIDTH - RIGHT} y1={up(y)} y2={up(y)} />
              <text className="plot-text" x={LEFT - 6} y={up(y) + 4} textAnchor="end">
                {writeY(y)}
              </text>
            </g>
          );
        })}
        {ticks.map((part) => {
          const x = xLow + part * (xHigh - xLow);
          return (
            <text key={part} className="plot-text" x={at(x)} y={HEIGHT - BOTTOM + 16} textAnchor={part === 0 ? 'start' : part === 1 ? 'end' : 'middle'}>
              {writeX(x)}
            </text>
          );
        })}
        <text className="plot-text plot-name" x={(LEFT + WIDTH - RIGHT) / 2} y={HEIGHT - 3} textAnchor="middle">
          {xName}
        </text>
        {mark === undefined ? null : (
          <g>
            <line className="plot-mark" x1={at(mark.x)} x2={at(mark.x)} y1={TOP} y2={HEIGHT - BOTTOM} />
            <text className="plot-text" x={at(mark.x) + (mark.x > (xLow + xHigh) / 2 ? -5 : 5)} y={HEIGHT - BOTTOM - 6} textAnchor={mark.x > (xLow + xHigh) / 2 ? 'end' : 'start'}>
              {mark.text}
            </text>
          </g>
        )}
        {lines.map((line) => (
          <g key={line.name} className={`plot-line plot-${line.tone ?? 'locality'}`}>
            <polyline points={line.points.map(([x, y]) => `${at(x).toFixed(1)},${up(y).toFixed(1)}`).join(' ')} />
            {dots
              ? line.points.map(([x, y]) => (
                  <circle key={x} cx={at(x)} cy={up(y)} r="3">
                    <title>{`${line.name}: ${xName} ${writeX(x)}, ${yName} ${writeY(y)}`}</title>
                  </circle>
                ))
              : null}
          </g>
        ))}
      </svg>
      <figcaption className="row">
        <span className="faint">{yName}</span>
        {lines.length > 1
          ? lines.map((line) => (
              <span key={line.name} className="row faint">
                <span className={`legend-line legend-${line.tone ?? 'locality'}`} /> {line.name}
              </span>
            ))
          : null}
        {note}
      </figcaption>
    </figure>
  );
}
