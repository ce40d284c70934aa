import { Bars, LinePlot } from '../charts/plots';
import { decimal, integer, percent, plural } from '../format/number';
import { Badge } from '../ui/badge';
import { Card, Figure, Figures } from '../ui/card';
import { Note } from '../ui/states';
import { chosenRho, decidingBatch, type Gate, hottestShare, type Report } from './report';

/** What a refit found, chose and was judged by. */
export function ReportView({ report, slots }: { readonly report: Report; readonly slots?: readonly string[] | undefined }) {
  const batch = decidingBatch(report);
  return (
    <div className="report">
      <Card title="Verdict" about="Whether routing by locality is worth enabling for this traffic" className="report-wide">
        <div className="stack">
          <div className="row">
            <Worth worth={report.verdict?.worthEnabling} />
            <span className="muted">{report.verdict?.reasons?.join('; ')}</span>
          </div>
          <Figures>
            <Figure name="Rho, held out" value={decimal(chosenRho(report), 3)} note={report.representation} />
            <Figure name="Fewer experts" value={batch === undefined ? '–' : `${decimal(batch.reductionPct, 1)} %`} note={batch === undefined ? 'not known' : `batch ${batch.batch}, ${decimal(batch.low, 1)} to ${decimal(batch.high, 1)}`} />
            <Figure name="Layers in mask" value={integer(report.mask?.length)} note={report.mask?.join(', ')} />
            <Figure name="Tau" value={decimal(report.recommendedTau, 3)} note={`mean band ${decimal(report.heldOut?.meanBand, 2)}`} />
            <Figure name="Hottest share" value={percent(hottestShare(report))} note={`fair ${percent(report.clusterSizes === undefined ? undefined : 1 / report.clusterSizes.length)}`} />
            <Figure name="Samples used" value={integer(report.basis?.samplesUsed ?? report.requests)} note={report.basis?.kind} />
          </Figures>
          {(report.warnings ?? []).map((warning) => (
            <Note key={warning} tone="warn">
              {warning}
            </Note>
          ))}
        </div>
      </Card>
      {report.gate === undefined ? null : <GateCard gate={report.gate} />}
      <RhoCard report={report} />
      <MaskCard report={report} />
      <ClusterCard report={report} slots={slots} />
      <UnionCard report={report} />
    </div>
  );
}

function Worth({ worth }: { readonly worth: boolean | null | undefined }) {
  if (worth === true) {
    return <Badge tone="good">Worth enabling</Badge>;
  }
  return worth === false ? <Badge tone="bad">Not worth enabling</Badge> : <Badge tone="warn">Not known</Badge>;
}

const JUDGED_ON: Readonly<Record<string, string>> = {
  newest: 'the newest fifth of the samples, which neither version was fitted on',
  'test-part': 'the fit’s own test part, of which the active version may know some',
  nothing: 'nothing: no samples were held out',
};

function GateCard({ gate }: { readonly gate: Gate }) {
  const measure = gate.measure === 'union' ? 'Distinct experts per layer' : 'Likeness of a cluster’s prompts';
  return (
    <Card
      title="Gate"
      about={`Judged on ${JUDGED_ON[gate.judgedOn ?? ''] ?? gate.judgedOn ?? 'unknown'}${gate.requests === undefined ? '' : ` (${plural(gate.requests, 'request')})`}`}
      actions={gate.overridden === true ? <Badge tone="warn">Overridden by force</Badge> : gate.passed === true ? <Badge tone="good">Passed</Badge> : <Badge tone="bad">Rejected</Badge>}
    >
      <table className="plain">
        <thead>
          <tr>
            <th scope="col">Measure</th>
            <th scope="col" className="end">
              Candidate
            </th>
            <th scope="col" className="end">
              {gate.activeVersion === undefined ? 'Active' : `Active v${gate.activeVersion}`}
            </th>
            <th scope="col" className="end">
              Difference, limit
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">
              {measure}
              {typeof gate.batch === 'number' ? ` at batch ${gate.batch}` : ''}
            </th>
            <td className="end">{decimal(gate.candidate, 2)}</td>
            <td className="end">{decimal(gate.active, 2)}</td>
            <td className="end faint nowrap">
              {typeof gate.difference?.low !== 'number' ? '–' : `by ${decimal(gate.difference.low, 1)} to ${decimal(gate.difference.high, 1)}`}
            </td>
          </tr>
          <tr>
            <th scope="row">Hottest share</th>
            <td className="end">{percent(gate.hottestShare?.candidate)}</td>
            <td className="end">{percent(gate.hottestShare?.active)}</td>
            <td className="end faint nowrap">≤ {percent(gate.hottestShare?.limit)}</td>
          </tr>
        </tbody>
      </table>
      {(gate.reasons ?? []).map((reason) => (
        <p key={reason} className="tone-bad">
          {reason}
        </p>
      ))}
    </Card>
  );
}

function RhoCard({ report }: { readonly report: Report }) {
  const rows = Object.entries(report.rho ?? {});
  if (rows.length === 0) {
    return null;
  }
  return (
    <Card title="Rho per representation" about="How well likeness of prompts foretells likeness of decoding; paler: held out">
      <Bars
        label="Rho of each representation"
        second="held out"
        most={1}
        bars={rows.map(([name, figures]) => ({
          name,
          value: figures.fit ?? 0,
          text: decimal(figures.fit, 3),
          second: { value: figures.heldOut ?? 0, text: decimal(figures.heldOut, 3) },
          strong: name === report.representation,
        }))}
      />
    </Card>
  );
}

function MaskCard({ report }: { readonly report: Report }) {
  const points = (report.maskCurve ?? []).flatMap((rho, i): [number, number][] => (rho === null ? [] : [[i + 1, rho]]));
  if (points.length < 2) {
    return null;
  }
  const chosen = report.mask?.length ?? 0;
  return (
    <Card title="Mask curve" about={`Rho as layers are added; ${plural(chosen, 'layer')} chosen${report.mask === undefined ? '' : `: ${report.mask.join(', ')}`}`}>
      <LinePlot label="Rho by number of layers" lines={[{ name: 'rho', points }]} xName="layers in the mask" yName="rho" writeX={(x) => String(Math.round(x))} writeY={(y) => y.toFixed(3)} mark={{ x: chosen, text: `${chosen} chosen` }} />
    </Card>
  );
}

function ClusterCard({ report, slots }: { readonly report: Report; readonly slots?: readonly string[] | undefined }) {
  const sizes = report.clusterSizes;
  if (sizes === undefined || sizes.length === 0) {
    return null;
  }
  const shares = report.heldOut?.shares;
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return (
    <Card title="Cluster sizes" about="Fitted requests of each cluster; paler: its share of held-out requests. The mark is a fair share.">
      <div className="bars-scroll" role="region" aria-label="Cluster sizes, scrollable" tabIndex={0}>
        <Bars
          label="Share of the fitted requests of each cluster"
          second="the share of held-out requests"
          reference={1 / sizes.length}
          bars={sizes.map((size, i) => ({
            name: slots?.[i] ?? `cluster ${i}`,
            value: size / total,
            text: integer(size),
            ...(shares?.[i] === undefined ? {} : { second: { value: shares[i], text: percent(shares[i]) } }),
          }))}
        />
      </div>
    </Card>
  );
}

function UnionCard({ report }: { readonly report: Report }) {
  const batches = report.unionReduction?.batches ?? [];
  if (batches.length === 0) {
    return null;
  }
  return (
    <Card title="Union of experts" about={`Distinct experts that a step loads in a layer, one token each (${report.unionReduction?.token ?? 'recorded'}); paler: any requests`}>
      <Bars
        label="Union of experts by batch size"
        second="any requests"
        bars={batches.map((batch) => ({
          name: `batch ${batch.batch}`,
          value: batch.grouped,
          text: `${decimal(batch.grouped, 1)}  (−${decimal(batch.reductionPct, 1)} %)`,
          second: { value: batch.random, text: decimal(batch.random, 1) },
        }))}
      />
    </Card>
  );
}
