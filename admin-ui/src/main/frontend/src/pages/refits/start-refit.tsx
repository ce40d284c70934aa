import { useState } from 'react';
import { calibration, path } from '../../api/call';
import type { Refit, RefitOptions } from '../../api/views';
import { useRefusal } from '../../app/session';
import { ActionDialog } from '../../ui/action-dialog';
import { Checkbox, Select, TextField } from '../../ui/field';
import { type Choice, options } from './refit-options';

export function StartRefit({ pool, onClose, onStarted }: { readonly pool: string; readonly onClose: () => void; readonly onStarted: (refit: Refit) => void }) {
  const [choice, setChoice] = useState<Choice>({ representation: 'auto', mask: 'auto', layers: '', holdOut: '', seed: '', force: false });
  const mayForce = useRefusal('admin');
  const set = (change: Partial<Choice>) => setChoice({ ...choice, ...change });
  const body: RefitOptions = options(choice);
  return (
    <ActionDialog<Refit>
      title={`Start a refit of ${pool}`}
      call={calibration('POST', path`/v1/pools/${pool}/refits`, body)}
      confirm="Start"
      done={(refit) => `Refit #${refit.id} is ${refit.state === 'QUEUED' ? 'queued' : 'under way'}.`}
      onClose={onClose}
      onDone={onStarted}
      wide
    >
      <p className="muted">
        As it is set, the fit chooses by itself what foretells decoding best. The new version is activated when it passes the gate, unless
        the pool is pinned or asks for approval.
      </p>
      <div className="fields">
        <Select
          label="Representation"
          value={choice.representation}
          onChange={(representation) => set({ representation: representation as Choice['representation'] })}
          options={[
            { value: 'auto', name: 'Let rho choose' },
            { value: 'count', name: 'count' },
            { value: 'count_idf', name: 'count_idf' },
            { value: 'binary', name: 'binary' },
          ]}
        />
        <Select
          label="Layer mask"
          value={choice.mask}
          onChange={(mask) => set({ mask: mask as Choice['mask'] })}
          options={[
            { value: 'auto', name: 'Let rho choose' },
            { value: 'all', name: 'All layers' },
            { value: 'list', name: 'These layers' },
          ]}
        />
        {choice.mask === 'list' ? <TextField label="Layers" value={choice.layers} onChange={(layers) => set({ layers })} placeholder="3, 7, 12" help="Counted from 0" /> : null}
        <TextField label="Held out" type="number" value={choice.holdOut} onChange={(holdOut) => set({ holdOut })} placeholder="0.2" help="Share to test and to select on, 0 to 0.4" />
        <TextField label="Seed" type="number" value={choice.seed} onChange={(seed) => set({ seed })} placeholder="1" help="The same seed and samples give the same artifact" />
      </div>
      <Checkbox isSelected={choice.force} onChange={(force) => set({ force })} isDisabled={mayForce !== undefined} help={mayForce ?? 'Publishes it even if the gate rejects it. This is written into the audit log.'}>
        Override the gate
      </Checkbox>
    </ActionDialog>
  );
}
