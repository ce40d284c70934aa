import { useState } from 'react';
import { calibration, path } from '../../api/call';
import { POLICIES } from '../../api/policies';
import type { Evaluation } from '../../api/views';
import { ActionDialog } from '../../ui/action-dialog';
import { Checkbox, Select, TextField } from '../../ui/field';
import { listed } from './study';

type Question = 'policies' | 'tau' | 'decoders';

const PRESETS: Readonly<Record<Question, { readonly name: string; readonly policies: readonly string[]; readonly tau: string; readonly decoders: (k: number) => string }>> = {
  policies: { name: 'Policies side by side', policies: POLICIES, tau: 'auto', decoders: (k) => String(k) },
  tau: { name: 'Tau sweep', policies: ['eldr', 'round-robin', 'jsq'], tau: 'auto, 0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3', decoders: (k) => String(k) },
  decoders: {
    name: 'Decoders sweep (K)',
    policies: ['eldr', 'round-robin', 'jsq'],
    tau: 'auto',
    decoders: (k) => [...new Set([k / 2, k, k * 2].map((count) => Math.max(2, Math.round(count))))].join(', '),
  },
};

interface StartEvaluationProps {
  readonly pool: string;
  /** How many decoders the pool has. */
  readonly decoders: number;
  /** How many requests a second it decides now. */
  readonly rate: number | undefined;
  readonly onClose: () => void;
  readonly onStarted: (evaluation: Evaluation) => void;
}

export function StartEvaluation({ pool, decoders, rate, onClose, onStarted }: StartEvaluationProps) {
  const [question, setQuestion] = useState<Question>('policies');
  const [policies, setPolicies] = useState<readonly string[]>(PRESETS.policies.policies);
  const [tau, setTau] = useState(PRESETS.policies.tau);
  const [count, setCount] = useState(PRESETS.policies.decoders(decoders));
  const [rates, setRates] = useState(rate === undefined || rate < 1 ? '20' : String(Math.round(rate)));
  const [mix, setMix] = useState('recorded');
  const [seeds, setSeeds] = useState('3');

  const choose = (to: Question): void => {
    setQuestion(to);
    setPolicies(PRESETS[to].policies);
    setTau(PRESETS[to].tau);
    setCount(PRESETS[to].decoders(decoders));
  };
  const body = {
    policies: POLICIES.filter((policy) => policies.includes(policy)),
    tau: listed(tau).map(String),
    decoders: listed(count),
    rates: listed(rates),
    ...(mix === 'recorded' ? {} : { mix }),
    ...(seeds === '3' ? {} : { seeds: Number(seeds) }),
  };
  return (
    <ActionDialog<Evaluation>
      title={`What if ${pool} were run otherwise?`}
      call={calibration('POST', path`/v1/pools/${pool}/evaluations`, body)}
      confirm="Evaluate"
      isIncomplete={body.policies.length === 0}
      done={(evaluation) => `Evaluation #${evaluation.id} is under way.`}
      onClose={onClose}
      onDone={onStarted}
      wide
    >
      <p className="muted">A simulated pool serves the pool’s own samples. Nothing is changed in the pool.</p>
      <div className="fields">
        <Select label="Question" value={question} onChange={(to) => choose(to as Question)} options={(Object.keys(PRESETS) as Question[]).map((value) => ({ value, name: PRESETS[value].name }))} />
        <TextField label="Requests a second" value={rates} onChange={setRates} help="One or several, apart by commas" />
        <TextField label="Tau" value={tau} onChange={setTau} help="Numbers, or auto for what the artifact recommends" />
        <TextField label="Decoders (K)" value={count} onChange={setCount} help="Other numbers than the artifact’s are fitted to half of the samples" />
        <TextField label="Mix of labels" value={mix} onChange={setMix} help="recorded, uniform, zipf:1.1 or top2:0.75" />
        <TextField label="Seeds" type="number" value={seeds} onChange={setSeeds} help="How often all is repeated; intervals need 2" />
      </div>
      <fieldset className="choices">
        <legend>Policies</legend>
        {POLICIES.map((policy) => (
          <Checkbox key={policy} isSelected={policies.includes(policy)} onChange={(selected) => setPolicies(selected ? [...policies, policy] : policies.filter((other) => other !== policy))}>
            {policy}
          </Checkbox>
        ))}
      </fieldset>
    </ActionDialog>
  );
}
