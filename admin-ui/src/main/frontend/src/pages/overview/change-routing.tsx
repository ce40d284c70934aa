import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { calibration, path } from '../../api/call';
import { POLICIES, POLICY_ABOUT } from '../../api/policies';
import { registry } from '../../api/queries';
import type { Pool } from '../../api/views';
import { ActionDialog } from '../../ui/action-dialog';
import { Dialog } from '../../ui/dialog';
import { Checkbox, Select, TextField } from '../../ui/field';
import { Failure, Loading } from '../../ui/states';
import { changeOf, fieldsOf, type RoutingFields } from './routing';

interface ChangeRoutingProps {
  readonly pool: string;
  readonly onClose: () => void;
}

/** How a pool chooses decoders, and what is tried beside it. */
export function ChangeRouting({ pool, onClose }: ChangeRoutingProps) {
  const settings = useQuery(registry<Pool>(path`/v1/pools/${pool}`));
  // What the form begins with stays, whatever comes in meanwhile.
  const [seen, setSeen] = useState<Pool>();
  if (seen === undefined && settings.isSuccess && !settings.isFetching) {
    setSeen(settings.data);
  }
  if (seen !== undefined) {
    return <Form pool={seen} onClose={onClose} />;
  }
  return (
    <Dialog title={`How ${pool} is routed`} onClose={onClose} wide>
      <div className="dialog-body">
        {settings.isError ? <Failure failure={settings.error} onRetry={() => void settings.refetch()} /> : <Loading what="the pool’s settings" />}
      </div>
    </Dialog>
  );
}

const NAMES = POLICIES.map((policy) => ({ value: policy, name: policy }));

function Form({ pool, onClose }: { readonly pool: Pool; readonly onClose: () => void }) {
  const [fields, setFields] = useState(() => fieldsOf(pool));
  const put = (change: Partial<RoutingFields>): void => setFields({ ...fields, ...change });
  const body = changeOf(pool, fields);
  return (
    <ActionDialog
      title={`How ${pool.name} is routed`}
      call={calibration('PATCH', path`/v1/pools/${pool.name}`, body)}
      confirm="Change"
      isIncomplete={Object.keys(body).length === 0}
      done={`${pool.name} is routed otherwise now; routers follow within moments.`}
      onClose={onClose}
      wide
    >
      <div className="fields">
        <Select label="Policy" value={fields.policy} onChange={(policy) => put({ policy })} options={NAMES} help={aboutOf(fields.policy)} />
        <TextField label="Tau" value={fields.tau} onChange={(tau) => put({ tau })} help="Width of the band: auto, as the artifact recommends, or 0 to 2" />
        <TextField label="Fewest candidates" value={fields.minCandidates} onChange={(minCandidates) => put({ minCandidates })} help="Empty: as the policy has it" />
      </div>
      <Trial title="A policy that decides beside the live one and reserves nothing">
        <Select label="Shadow policy" value={fields.shadow} onChange={(shadow) => put({ shadow })} options={[{ value: '', name: 'none' }, ...NAMES]} />
        {fields.shadow === '' ? null : <TextField label="Its tau" value={fields.shadowTau} onChange={(shadowTau) => put({ shadowTau })} help="Empty: as the live one" />}
      </Trial>
      <Trial title="Two policies that take turns by the clock, in place of the policy above">
        <Checkbox isSelected={fields.takesTurns} onChange={(takesTurns) => put({ takesTurns })}>
          Take turns
        </Checkbox>
        {fields.takesTurns ? (
          <>
            <Select label="First" value={fields.first} onChange={(first) => put({ first })} options={NAMES} />
            <Select label="Second" value={fields.second} onChange={(second) => put({ second })} options={NAMES} />
            <TextField label="Minutes of a turn" value={fields.minutes} onChange={(minutes) => put({ minutes })} />
          </>
        ) : null}
      </Trial>
      <Trial title="Decoders that leave the band while they are too busy">
        <Checkbox isSelected={fields.sparesHot} onChange={(sparesHot) => put({ sparesHot })}>
          Spare hot decoders
        </Checkbox>
        {fields.sparesHot ? (
          <>
            <TextField label="Times the mean load" value={fields.factor} onChange={(factor) => put({ factor })} />
            <TextField label="And so many requests above it" value={fields.minExcess} onChange={(minExcess) => put({ minExcess })} />
            <TextField label="Or KV cache fuller than" value={fields.kvCap} onChange={(kvCap) => put({ kvCap })} help="0 to 1" />
          </>
        ) : null}
      </Trial>
    </ActionDialog>
  );
}

function aboutOf(policy: string): string {
  const known = POLICIES.find((other) => other === policy);
  return known === undefined ? '' : `Takes ${POLICY_ABOUT[known]}`;
}

function Trial({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <fieldset className="trial">
      <legend>{title}</legend>
      <div className="fields">{children}</div>
    </fieldset>
  );
}
