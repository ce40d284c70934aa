import { SeriesChart } from '../../charts/lazy';
import { change, decimal, milliseconds, relativeChange } from '../../format/number';
import { type Figure, joined, recentMean, thinned } from '../../live/series';
import { sameItems, useLive, useLiveStore } from '../../live/use-live';
import type { Twins } from './twins';

const WINDOW_SECONDS = 60;

interface Measure {
  readonly figure: Figure;
  readonly name: string;
  readonly about: string;
  readonly write: (value: number | undefined) => string;
}

const MEASURES: readonly Measure[] = [
  { figure: 'tpotP50Ms', name: 'TPOT P50', about: 'time per output token, median', write: milliseconds },
  { figure: 'tpotP99Ms', name: 'TPOT P99', about: 'time per output token, slowest of a hundred', write: milliseconds },
  {
    figure: 'activeExperts',
    name: 'Experts per step',
    about: 'distinct experts that a decode step loads in a layer',
    write: (value) => decimal(value, 1),
  },
];

/** The question that the product answers: what does routing by expert locality gain on the same traffic? */
export function Comparison({ locality, reference }: Twins) {
  return (
    <section className="card comparison" aria-labelledby="comparison">
      <header className="card-head">
        <div className="card-title">
          <h2 id="comparison">Expert locality against load alone, on the same traffic</h2>
          <p className="muted">Means of the last minute; lines show the last 15 minutes.</p>
        </div>
        <ul className="legend">
          <li>
            <span className="legend-line legend-locality" /> {locality}
          </li>
          <li>
            <span className="legend-line legend-reference" /> {reference}
          </li>
        </ul>
      </header>
      <div className="measures">
        {MEASURES.map((measure) => (
          <div key={measure.figure} className="measure">
            <Difference measure={measure} locality={locality} reference={reference} />
            <Lines measure={measure} locality={locality} reference={reference} />
          </div>
        ))}
      </div>
    </section>
  );
}

function Difference({ measure, locality, reference }: Twins & { readonly measure: Measure }) {
  const store = useLiveStore();
  const [ours, theirs] = useLive(
    () => [
      recentMean(store.series(locality), measure.figure, WINDOW_SECONDS),
      recentMean(store.series(reference), measure.figure, WINDOW_SECONDS),
    ],
    sameItems,
  );
  const difference = relativeChange(ours, theirs);
  const tone = difference === undefined || Math.abs(difference) < 0.0005 ? '' : difference < 0 ? 'tone-good' : 'tone-bad';
  return (
    <div className="difference">
      <h3>
        {measure.name} <span className="faint">{measure.about}</span>
      </h3>
      <p className={`difference-value ${tone}`}>{change(difference)}</p>
      <p className="difference-both">
        <span className="nowrap">
          <span className="legend-line legend-locality" /> <span className="visually-hidden">{locality}: </span>
          <b>{measure.write(ours)}</b>
        </span>
        <span className="nowrap">
          <span className="legend-line legend-reference" /> <span className="visually-hidden">{reference}: </span>
          <b>{measure.write(theirs)}</b>
        </span>
      </p>
    </div>
  );
}

function Lines({ measure, locality, reference }: Twins & { readonly measure: Measure }) {
  const store = useLiveStore();
  return (
    <SeriesChart
      label={`${measure.name} of ${locality} and ${reference} over the last minutes`}
      unit={measure.figure === 'activeExperts' ? '' : 'ms'}
      group="comparison"
      height={148}
      shaded
      lines={[
        { label: locality, colour: '--locality' },
        { label: reference, colour: '--reference' },
      ]}
      data={() => {
        const { at, a, b } = joined(store.series(locality), store.series(reference), measure.figure);
        const thin = thinned(at, [a, b]);
        return [thin.at, ...thin.tracks];
      }}
    />
  );
}
