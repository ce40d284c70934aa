import { useState } from 'react';
import { calibration, path } from '../../api/call';
import type { Worker } from '../../api/views';
import { integer } from '../../format/number';
import { ActionDialog } from '../../ui/action-dialog';
import { Select, TextField } from '../../ui/field';
import { Note } from '../../ui/states';
import { declarationOf, fieldsOf, type WorkerFields } from './declaration';
import type { Row } from './worker-rows';

interface ActionProps {
  readonly pool: string;
  readonly row: Row;
  readonly onClose: () => void;
}

export function DrainWorker({ pool, row, onClose }: ActionProps) {
  return (
    <ActionDialog
      title={`Drain ${row.slot}?`}
      call={calibration('POST', path`/v1/pools/${pool}/workers/${row.slot}/drain`)}
      confirm="Drain"
      done={`${row.slot} is being drained.`}
      onClose={onClose}
    >
      <p>
        It gets no new requests from now on. What it runs
        {row.seen === undefined ? '' : ` (${integer(row.seen.inFlight)} in flight)`} ends in its own time. It stays drained, also
        over restarts of routers, until it is undrained.
      </p>
    </ActionDialog>
  );
}

export function ResumeWorker({ pool, row, onClose }: ActionProps) {
  return (
    <ActionDialog
      title={`Undrain ${row.slot}?`}
      call={calibration('POST', path`/v1/pools/${pool}/workers/${row.slot}/resume`)}
      confirm="Undrain"
      done={`${row.slot} gets traffic again.`}
      onClose={onClose}
    >
      <p>Routers send it requests again as soon as its probe passes.</p>
    </ActionDialog>
  );
}

export function RemoveWorker({ pool, row, onClose }: ActionProps) {
  const busy = row.seen !== undefined && row.seen.inFlight > 0;
  return (
    <ActionDialog
      title={`Remove ${row.slot}?`}
      call={calibration('DELETE', path`/v1/pools/${pool}/workers/${row.slot}`)}
      confirm="Remove"
      danger
      done={`${row.slot} is no longer registered.`}
      onClose={onClose}
    >
      <p>
        It is out at once: routers send it nothing more, and what waits at the gateway for its first byte goes to another worker.
        Answers that have begun run on to their end, or break off with it.
        {row.role === 'decode' ? ' Its cluster is left to the other decoders, and a topology refit is due.' : ''} To bring it back,
        register it again.
      </p>
      {busy ? <Note tone="warn">It still has {integer(row.seen.inFlight)} requests. Drain it instead to let all of them end there.</Note> : null}
    </ActionDialog>
  );
}

/** Registers a worker, or changes one. */
export function DeclareWorker({ pool, worker, onClose }: { readonly pool: string; readonly worker?: Worker | undefined; readonly onClose: () => void }) {
  const [slot, setSlot] = useState(worker?.slot ?? '');
  const [fields, setFields] = useState(() => fieldsOf(worker));
  const set =
    (name: keyof WorkerFields) =>
    (value: string) =>
      setFields((before) => ({ ...before, [name]: value }));
  return (
    <ActionDialog
      title={worker === undefined ? 'Register a worker' : `Change ${worker.slot}`}
      call={calibration('PUT', path`/v1/pools/${pool}/workers/${slot}`, declarationOf(fields))}
      confirm={worker === undefined ? 'Register' : 'Change'}
      isIncomplete={slot.trim() === '' || fields.url.trim() === '' || fields.weight.trim() === ''}
      done={`${slot} is registered.`}
      onClose={onClose}
    >
      <div className="fields">
        {worker === undefined ? <TextField label="Slot" value={slot} onChange={setSlot} help="Its lasting name, such as decode-8" isRequired autoFocus /> : null}
        <TextField label="Address" value={fields.url} onChange={set('url')} placeholder="http://10.0.7.9:8000" isRequired />
        <Select
          label="Role"
          value={fields.role}
          onChange={set('role')}
          options={[
            { value: 'decode', name: 'decode' },
            { value: 'prefill', name: 'prefill' },
          ]}
        />
        <TextField label="Weight" type="number" value={fields.weight} onChange={set('weight')} help="Its capacity against the others’" />
        <TextField label="Most in flight" type="number" value={fields.maxInFlight} onChange={set('maxInFlight')} help="Empty: no limit" />
        <Select
          label="Probe"
          value={fields.probe}
          onChange={set('probe')}
          options={[
            { value: 'http', name: 'GET /health' },
            { value: 'none', name: 'none' },
          ]}
          help="How routers learn that it is up"
        />
        <TextField label="Model revision" value={fields.revision} onChange={set('revision')} help="Where it differs from the pool’s it gets no traffic. Empty: not known" />
      </div>
    </ActionDialog>
  );
}
