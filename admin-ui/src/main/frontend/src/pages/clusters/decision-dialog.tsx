import { useQuery } from '@tanstack/react-query';
import { gathered } from '../../api/queries';
import type { components } from '../../api/generated/router';
import { useZone } from '../../app/preferences';
import { decimal, integer } from '../../format/number';
import { dateTime, zoneShort } from '../../format/time';
import { Badge } from '../../ui/badge';
import { Dialog } from '../../ui/dialog';
import { Failure, Loading } from '../../ui/states';

type Explanation = components['schemas']['Explanation'];

/** What a decision was made of. */
export function DecisionDialog({ requestId, onClose }: { readonly requestId: string; readonly onClose: () => void }) {
  const zone = useZone();
  const explanation = useQuery(gathered<Explanation>(`api/decisions?requestId=${encodeURIComponent(requestId)}`));
  const said = explanation.data;
  const decision = said?.decision;
  const band = new Set(decision?.band?.members?.map((member) => member.id));
  return (
    <Dialog title="Why it went there" onClose={onClose} wide>
      <div className="dialog-body">
        <p className="mono clip">{requestId}</p>
        {explanation.isPending ? <Loading what="the decision" /> : null}
        {explanation.isError ? <Failure failure={explanation.error} /> : null}
        {decision === undefined ? null : (
          <>
            <p>
              <b>{decision.decoder?.id}</b> got it: <Badge tone="accent">{decision.reason}</Badge> by policy {decision.policy}, artifact v{decision.artifactVersion ?? '–'}, generation{' '}
              {decision.generation ?? '–'}.
            </p>
            <p className="muted">
              {dateTime(said?.at, zone)} {zoneShort(zone)} · {integer(said?.promptTokens)} prompt tokens
              {said?.label === undefined ? '' : ` · label ${said.label}`} · band within tau {decimal(decision.band?.tau, 3)}
            </p>
            <table className="plain">
              <thead>
                <tr>
                  <th scope="col">Decoder</th>
                  <th scope="col" className="end">
                    Similarity
                  </th>
                  <th scope="col" className="end">
                    In flight
                  </th>
                  <th scope="col">Band</th>
                </tr>
              </thead>
              <tbody>
                {[...(said?.decoders ?? [])]
                  .sort((a, b) => (b.similarity ?? -1) - (a.similarity ?? -1))
                  .slice(0, 24)
                  .map((decoder) => (
                    <tr key={decoder.id}>
                      <th scope="row">
                        {decoder.id} {decoder.id === decision.decoder?.id ? <Badge tone="good">chosen</Badge> : null}
                      </th>
                      <td className="end">{decimal(decoder.similarity, 3)}</td>
                      <td className="end">{decoder.inFlight ?? '–'}</td>
                      <td>{band.has(decoder.id) ? 'in it' : <span className="faint">outside</span>}</td>
                    </tr>
                  ))}
              </tbody>
            </table>
          </>
        )}
      </div>
    </Dialog>
  );
}
