import { useState } from 'react';
import { Bars, LinePlot, type PlotLine } from '../../charts/plots';
import { decimal, milliseconds, percent } from '../../format/number';
import { Badge } from '../../ui/badge';
import { Card } from '../../ui/card';
import { type Column, DataTable } from '../../ui/data-table';
import { Select } from '../../ui/field';
import { Note } from '../../ui/states';
import { type Estimate, type Run, runName, runsOf } from './study';

/** What the simulator foretells, at one rate at a time. */
export function StudyView({ report }: { readonly report: unknown }) {
  const all = runsOf(report);
  const rates = [...new Set(all.map((run) => run.rate))];
  const [chosen, setChosen] = useState<number>();
  const rate = chosen !== undefined && rates.includes(chosen) ? chosen : rates[0];
  const runs = all.filter((run) => run.rate === rate);
  const taus = distinct(runs.map((run) => run.tau));
  const counts = distinct(runs.map((run) => run.decoders));
  const unstable = runs.filter((run) => run.unstable !== undefined);
  if (runs.length === 0) {
    return <Note>The report holds no runs.</Note>;
  }
  return (
    <div className="stack">
      {rates.length > 1 ? (
        <div className="rate">
          <Select label="Requests a second" value={String(rate)} onChange={(value) => setChosen(Number(value))} options={rates.map((value) => ({ value: String(value), name: `${decimal(value, 1)} a second` }))} />
        </div>
      ) : null}
      {unstable.map((run) => (
        <Note key={`${runName(run)} ${run.decoders}`} tone="warn">
          <b>{runName(run)}</b> on {run.decoders} decoders is beyond capacity: {run.unstable}.
        </Note>
      ))}
      <div className="two">
        {counts.length > 1 ? (
          <>
            <Sweep title="P50 by number of decoders" runs={runs} x={(run) => run.decoders} xName="decoders" y={(run) => run.p50} yName="TPOT P50, ms" by={(run) => run.policy} />
            <Sweep title="P99 by number of decoders" runs={runs} x={(run) => run.decoders} xName="decoders" y={(run) => run.p99} yName="TPOT P99, ms" by={(run) => run.policy} />
          </>
        ) : taus.length > 1 ? (
          <>
            <Sweep title="P50 by tau" runs={runs} x={(run) => run.tau} xName="tau" y={(run) => run.p50} yName="TPOT P50, ms" by={() => 'eldr'} />
            <Sweep title="P99 by tau" runs={runs} x={(run) => run.tau} xName="tau" y={(run) => run.p99} yName="TPOT P99, ms" by={() => 'eldr'} />
          </>
        ) : (
          <>
            <SideBySide title="Time per output token" about="Median; paler: the slowest of a hundred" runs={runs} value={(run) => run.p50} second={(run) => run.p99} write={milliseconds} />
            <SideBySide title="Experts per step" about="Distinct experts that a decode step loads in a layer" runs={runs} value={(run) => run.union} write={(value) => decimal(value, 1)} />
          </>
        )}
      </div>
      <Card title="All figures" about="Means over the seeds; changes are against round robin, with their 95 % interval. Below 0 is faster." flush>
        <DataTable label="Runs" columns={COLUMNS} rows={runs} rowKey={(run) => `${run.policy} ${run.tau ?? ''} ${run.decoders}`} initialOrder={{ column: 'p50', descending: false }} maxHeight={520} minWidth={820} empty={null} />
      </Card>
    </div>
  );
}

function distinct(values: readonly (number | undefined)[]): readonly number[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}

interface SweepProps {
  readonly title: string;
  readonly runs: readonly Run[];
  readonly x: (run: Run) => number | undefined;
  readonly xName: string;
  readonly y: (run: Run) => Estimate | undefined;
  readonly yName: string;
  readonly by: (run: Run) => string;
}

const TONES: readonly NonNullable<PlotLine['tone']>[] = ['locality', 'reference', 'plain'];

function Sweep({ title, runs, x, xName, y, yName, by }: SweepProps) {
  const lines = new Map<string, [number, number][]>();
  for (const run of runs) {
    const [at, estimate] = [x(run), y(run)];
    if (at !== undefined && estimate !== undefined) {
      const points = lines.get(by(run)) ?? [];
      points.push([at, estimate.mean]);
      lines.set(by(run), points);
    }
  }
  const drawn = [...lines].map(([name, points], i): PlotLine => ({ name, points: points.sort(([a], [b]) => a - b), tone: TONES[i % TONES.length] ?? 'plain' }));
  const best = drawn.length === 1 ? drawn[0]?.points.reduce((least, point) => (point[1] < least[1] ? point : least)) : undefined;
  if (drawn.every((line) => line.points.length < 2)) {
    return null;
  }
  return (
    <Card title={title}>
      <LinePlot
        label={title}
        lines={drawn}
        xName={xName}
        yName={yName}
        writeX={(value) => decimal(value, value % 1 === 0 ? 0 : 2)}
        writeY={(value) => decimal(value, 1)}
        dots
        {...(best === undefined ? {} : { mark: { x: best[0], text: `least at ${decimal(best[0], 3)}` } })}
      />
    </Card>
  );
}

function SideBySide({ title, about, runs, value, second, write }: { readonly title: string; readonly about: string; readonly runs: readonly Run[]; readonly value: (run: Run) => Estimate | undefined; readonly second?: (run: Run) => Estimate | undefined; readonly write: (value: number) => string }) {
  const known = runs.filter((run) => value(run) !== undefined).sort((a, b) => (value(a)?.mean ?? 0) - (value(b)?.mean ?? 0));
  return (
    <Card title={title} about={about}>
      <Bars
        label={title}
        {...(second === undefined ? {} : { second: 'the slowest of a hundred' })}
        bars={known.map((run) => {
          const other = second?.(run);
          return {
            name: runName(run),
            value: value(run)?.mean ?? 0,
            text: write(value(run)?.mean ?? 0),
            strong: run.policy === 'eldr' || run.policy === 'union',
            ...(other === undefined ? {} : { second: { value: other.mean, text: write(other.mean) } }),
          };
        })}
      />
    </Card>
  );
}

function Change({ of }: { readonly of: Estimate | undefined }) {
  if (of === undefined) {
    return <span className="faint">–</span>;
  }
  // Where the interval holds 0 nobody can say which is faster.
  const tone = of.high !== undefined && of.high < 0 ? 'tone-good' : of.low !== undefined && of.low > 0 ? 'tone-bad' : '';
  return (
    <span className={tone} title={of.low === undefined ? undefined : `${decimal(of.low)} to ${decimal(of.high)} %`}>
      {of.mean > 0 ? '+' : ''}
      {decimal(of.mean)} %
    </span>
  );
}

const COLUMNS: readonly Column<Run>[] = [
  {
    id: 'policy',
    header: 'Policy',
    width: 'minmax(110px, 1.4fr)',
    sortBy: (run) => run.policy,
    cell: (run) => (
      <span className="row">
        {runName(run)} {run.unstable === undefined ? null : <Badge tone="warn">beyond capacity</Badge>}
      </span>
    ),
  },
  { id: 'decoders', header: 'K', width: '36px', align: 'end', wideOnly: true, sortBy: (run) => run.decoders, cell: (run) => run.decoders },
  { id: 'p50', header: 'P50', width: '68px', align: 'end', sortBy: (run) => run.p50?.mean, cell: (run) => milliseconds(run.p50?.mean) },
  { id: 'p50c', header: <span title="P50 against round robin">± RR</span>, width: '70px', align: 'end', sortBy: (run) => run.roundRobinP50?.mean, cell: (run) => <Change of={run.roundRobinP50} /> },
  { id: 'p99', header: 'P99', width: '68px', align: 'end', wideOnly: true, sortBy: (run) => run.p99?.mean, cell: (run) => milliseconds(run.p99?.mean) },
  { id: 'p99c', header: <span title="P99 against round robin">± RR</span>, width: '70px', align: 'end', wideOnly: true, sortBy: (run) => run.roundRobinP99?.mean, cell: (run) => <Change of={run.roundRobinP99} /> },
  { id: 'union', header: 'Experts', width: '64px', align: 'end', wideOnly: true, sortBy: (run) => run.union?.mean, cell: (run) => decimal(run.union?.mean) },
  { id: 'band', header: 'Band', width: '50px', align: 'end', wideOnly: true, sortBy: (run) => run.band?.mean, cell: (run) => decimal(run.band?.mean, 2) },
  { id: 'spill', header: 'Spill', width: '58px', align: 'end', wideOnly: true, sortBy: (run) => run.spill?.mean, cell: (run) => percent(run.spill?.mean) },
  { id: 'load', header: <span title="The busiest decoder’s load against the mean">Max/mean</span>, width: '74px', align: 'end', wideOnly: true, sortBy: (run) => run.maxOverMean?.mean, cell: (run) => decimal(run.maxOverMean?.mean, 2) },
];
