import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { registry } from '../../api/queries';
import type { AuditRow } from '../../api/views';
import { Page } from '../../app/page';
import { usePoolNames } from '../../app/pools';
import { useZone } from '../../app/preferences';
import { integer, plural } from '../../format/number';
import { dateTime, zoneShort } from '../../format/time';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { type Column, DataTable } from '../../ui/data-table';
import { Dialog } from '../../ui/dialog';
import { SearchField, Select } from '../../ui/field';
import { Empty, Failure, Loading, Note } from '../../ui/states';
import { difference } from './difference';

const PAGE = 100;
/** The most that the service gives at a time. */
const MOST = 1000;

export function AuditPage() {
  const zone = useZone();
  const pools = usePoolNames();
  const [pool, setPool] = useState('');
  const [action, setAction] = useState('');
  const [text, setText] = useState('');
  const [limit, setLimit] = useState(PAGE);
  const [shown, setShown] = useState<AuditRow>();
  const rows = useQuery(registry<readonly AuditRow[]>(`/v1/audit?limit=${limit}${pool === '' ? '' : `&pool=${encodeURIComponent(pool)}`}`, 10_000));

  const all = useMemo(() => rows.data ?? [], [rows.data]);
  const actions = useMemo(() => [...new Set(all.map((row) => row.action))].sort(), [all]);
  const wanted = text.trim().toLowerCase();
  const found = all.filter(
    (row) => (action === '' || row.action === action) && `${row.actor} ${row.actingThrough ?? ''} ${row.subject ?? ''} ${row.action}`.toLowerCase().includes(wanted),
  );

  return (
    <Page title="Audit" about="Every change, in the transaction that made it: who, what, and what it was before.">
      <Card
        title="Changes"
        about={rows.isSuccess ? `${integer(found.length)} of the newest ${plural(all.length, 'change')}` : undefined}
        actions={
          <div className="filters">
            <Select label="Pool" hideLabel value={pool} onChange={setPool} options={[{ value: '', name: 'All pools' }, ...pools.map((name) => ({ value: name, name }))]} />
            <Select label="Action" hideLabel value={action} onChange={setAction} options={[{ value: '', name: 'All actions' }, ...actions.map((name) => ({ value: name, name }))]} />
            <SearchField label="Find who or what" value={text} onChange={setText} />
          </div>
        }
        flush
      >
        {rows.isPending ? <Loading what="changes" lines={8} /> : null}
        {rows.isError ? <Failure failure={rows.error} onRetry={() => void rows.refetch()} /> : null}
        {rows.isSuccess ? (
          <DataTable
            label="Changes, newest first"
            columns={columns(zone, setShown)}
            rows={found}
            rowKey={(row) => row.id}
            maxHeight={620}
            minWidth={760}
            empty={<Empty title={all.length === 0 ? 'Nothing was changed yet' : 'No change fits these filters'}>{all.length === 0 ? undefined : 'Widen them, or look further back.'}</Empty>}
          />
        ) : null}
        {rows.isSuccess && all.length >= limit ? (
          <div className="table-foot">
            {limit < MOST ? (
              <Button onPress={() => setLimit(Math.min(MOST, limit * 2))}>Look further back</Button>
            ) : (
              <span className="muted">The newest {integer(MOST)} changes are shown; choose a pool to see older ones of it.</span>
            )}
          </div>
        ) : null}
      </Card>
      {shown === undefined ? null : <Change row={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}

function columns(zone: 'local' | 'utc', onShow: (row: AuditRow) => void): readonly Column<AuditRow>[] {
  return [
    { id: 'at', header: `Time (${zoneShort(zone)})`, width: '148px', sortBy: (row) => row.at, cell: (row) => <span className="nowrap">{dateTime(row.at, zone)}</span> },
    {
      id: 'actor',
      header: 'Who',
      width: 'minmax(90px, 1fr)',
      sortBy: (row) => row.actor,
      cell: (row) => (
        <span className="clip">
          {row.actor} {row.actingThrough === undefined ? null : <span className="faint">via {row.actingThrough}</span>}
        </span>
      ),
    },
    { id: 'action', header: 'What', width: 'minmax(110px, 1fr)', wideOnly: true, sortBy: (row) => row.action, cell: (row) => <Badge>{row.action}</Badge> },
    { id: 'pool', header: 'Pool', width: 'minmax(70px, 0.8fr)', wideOnly: true, sortBy: (row) => row.pool, cell: (row) => <span className="clip">{row.pool ?? '–'}</span> },
    { id: 'subject', header: 'Of', width: 'minmax(80px, 1fr)', wideOnly: true, sortBy: (row) => row.subject, cell: (row) => <span className="clip">{row.subject ?? '–'}</span> },
    {
      id: 'show',
      header: <span className="visually-hidden">Details</span>,
      width: '84px',
      align: 'end',
      cell: (row) => (
        <Button small variant="ghost" onPress={() => onShow(row)}>
          {plural(difference(row.before, row.after).length, 'field')}
        </Button>
      ),
    },
  ];
}

function Change({ row, onClose }: { readonly row: AuditRow; readonly onClose: () => void }) {
  const zone = useZone();
  const changes = difference(row.before, row.after);
  return (
    <Dialog title={`${row.action} ${row.subject ?? ''}`} onClose={onClose} wide>
      <div className="dialog-body">
        <p className="muted">
          {row.actor}
          {row.actingThrough === undefined ? '' : ` via ${row.actingThrough}`}, {dateTime(row.at, zone)} {zoneShort(zone)}
          {row.pool === undefined ? '' : `, pool ${row.pool}`}
        </p>
        {changes.length === 0 ? (
          <Note>No field differs.</Note>
        ) : (
          <div className="scroll-x" role="region" aria-label="Fields that changed" tabIndex={0}>
            <table className="plain">
              <thead>
                <tr>
                  <th scope="col">Field</th>
                  <th scope="col">Before</th>
                  <th scope="col">After</th>
                </tr>
              </thead>
              <tbody>
                {changes.map((change) => (
                  <tr key={change.field}>
                    <th scope="row">{change.field}</th>
                    <td className="tone-bad">{change.before ?? <span className="faint">–</span>}</td>
                    <td className="tone-good">{change.after ?? <span className="faint">–</span>}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
    </Dialog>
  );
}
