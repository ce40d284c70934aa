import { useState } from 'react';
import { calibration, path } from '../../api/call';
import type { Activation, Artifact } from '../../api/views';
import { ActionDialog } from '../../ui/action-dialog';
import { Select, TextField } from '../../ui/field';

/**
 * The generation that the operator saw when the dialog opened goes along: had somebody else activated something meanwhile, the
 * service refuses, and says who was faster.
 */
function body(version: number | undefined, seen: Activation | undefined, reason: string): Record<string, unknown> {
  return {
    ...(version === undefined ? {} : { version }),
    ...(seen === undefined ? {} : { expectedGeneration: seen.generation }),
    ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
  };
}

export function Activate({ pool, version, current, onClose }: { readonly pool: string; readonly version: number; readonly current: Activation | undefined; readonly onClose: () => void }) {
  const [reason, setReason] = useState('');
  const [seen] = useState(current);
  return (
    <ActionDialog<Activation>
      title={`Activate version ${version}?`}
      call={calibration('POST', path`/v1/pools/${pool}/activations`, body(version, seen, reason))}
      confirm={`Activate v${version}`}
      done={(activation) => `Version ${activation.version} is active as generation ${activation.generation}.`}
      onClose={onClose}
    >
      <p>
        {seen === undefined ? 'Nothing is active yet. ' : `It replaces version ${seen.version}, generation ${seen.generation}. `}
        Routers follow within moments; requests that run are not touched.
      </p>
      <TextField label="Reason (optional)" value={reason} onChange={setReason} help="Kept in the history" maxLength={2000} />
    </ActionDialog>
  );
}

export function RollBack({ pool, current, versions, onClose }: { readonly pool: string; readonly current: Activation; readonly versions: readonly Artifact[]; readonly onClose: () => void }) {
  const [reason, setReason] = useState('');
  const [to, setTo] = useState('');
  const [seen] = useState(current);
  return (
    <ActionDialog<Activation>
      title={`Roll back from version ${seen.version}?`}
      call={calibration('POST', path`/v1/pools/${pool}/rollback`, body(to === '' ? undefined : Number(to), seen, reason))}
      confirm="Roll back"
      danger
      done={(activation) => `Version ${activation.version} is active again as generation ${activation.generation}.`}
      onClose={onClose}
    >
      <p>It takes the next generation, so routers follow it like any activation. The next refit may replace it: pin the pool to keep it.</p>
      <Select
        label="To"
        value={to}
        onChange={setTo}
        options={[
          { value: '', name: 'The version served before' },
          ...versions.filter(({ version }) => version !== seen.version).map(({ version }) => ({ value: String(version), name: `Version ${version}` })),
        ]}
      />
      <TextField label="Reason (optional)" value={reason} onChange={setReason} help="Kept in the history" maxLength={2000} />
    </ActionDialog>
  );
}

export function Pin({ pool, pinned, onClose }: { readonly pool: string; readonly pinned: boolean; readonly onClose: () => void }) {
  return (
    <ActionDialog
      title={pinned ? `Unpin ${pool}?` : `Pin ${pool}?`}
      call={calibration('PATCH', path`/v1/pools/${pool}`, { pinned: !pinned })}
      confirm={pinned ? 'Unpin' : 'Pin'}
      done={pinned ? `${pool} is not pinned any more.` : `${pool} is pinned.`}
      onClose={onClose}
    >
      <p>
        {pinned
          ? 'Refits run by themselves again, and what passes the gate is activated. Nothing is activated right now.'
          : 'What is active stays active: no refit runs by itself, and what is refitted by hand waits for approval.'}
      </p>
    </ActionDialog>
  );
}
