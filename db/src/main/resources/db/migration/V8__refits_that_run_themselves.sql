-- Refits that run themselves: what asks for them, on what they stood, and what became of what they proposed.

alter table refit_run
    add column cause text check (length(cause) between 1 and 500),
    add column slots text[] check (cardinality(slots) > 0),
    add column newest_sample bigint,
    add column proposal text check (proposal in ('open', 'approved', 'dismissed')),
    add constraint refit_run_proposal check (proposal is null or state = 'SUCCEEDED');
comment on column refit_run.cause is 'In words, where the trigger alone does not say it.';
comment on column refit_run.slots is 'The decoders that it makes clusters for, by code point; null until they are known.';
comment on column refit_run.newest_sample is 'The largest id of the samples that it read, or for which it was asked; null until it is known.';
comment on column refit_run.proposal is 'Whether its version waits to be approved; null if it was activated by itself.';

-- The last refit of a pool that read samples, or that made clusters for decoders.
create index refit_run_read on refit_run (pool_id, id) where newest_sample is not null;
create index refit_run_slots on refit_run (pool_id, id) where slots is not null;
-- Equal inputs are rejected again without a fit.
create index refit_run_rejected on refit_run (pool_id, input_fingerprint) where state = 'REJECTED';

create or replace function check_refit_transition() returns trigger
    language plpgsql as
$$
declare
    decides constant text[] := '{proposal,lock_version}';
begin
    if old.state = 'SUCCEEDED' and old.proposal = 'open' and new.proposal in ('approved', 'dismissed')
        and to_jsonb(new) - decides = to_jsonb(old) - decides then
        return new;
    end if;
    if not (case old.state
                when 'QUEUED' then new.state in ('QUEUED', 'RUNNING', 'CANCELLED')
                when 'RUNNING' then new.state in ('RUNNING', 'SUCCEEDED', 'REJECTED', 'FAILED', 'CANCELLED')
                else false end) then
        raise exception 'refit % cannot go from % to %', old.id, old.state, new.state
            using errcode = 'restrict_violation';
    end if;
    if (new.pool_id, new.id, new.trigger, new.cause, new.force, new.options, new.requested_by, new.requested_through,
        new.created_at)
        is distinct from (old.pool_id, old.id, old.trigger, old.cause, old.force, old.options, old.requested_by,
                          old.requested_through, old.created_at) then
        raise exception 'what refit % was asked to do cannot change', old.id
            using errcode = 'restrict_violation';
    end if;
    return new;
end
$$;

create table refit_schedule
(
    pool_id       bigint primary key references pool,
    cron          text check (length(cron) between 1 and 200),
    zone          text    not null default 'UTC' check (length(zone) between 1 and 64),
    after_samples integer check (after_samples > 0),
    on_drift      boolean not null default true,
    on_topology   boolean not null default true,
    next_cron     timestamptz,
    seen_slots    text[] check (cardinality(seen_slots) > 0),
    seen_since    timestamptz,
    lock_version  integer not null default 0,
    constraint refit_schedule_cron check ((cron is null) = (next_cron is null)),
    constraint refit_schedule_seen check ((seen_slots is null) = (seen_since is null))
);
comment on table refit_schedule is 'When a pool is refitted without being asked; a pool without a row has the defaults.';
comment on column refit_schedule.cron is 'Six fields, seconds first; null: at no time.';
comment on column refit_schedule.after_samples is 'So many samples newer than the last refit ask for one; null: any number does not.';
comment on column refit_schedule.next_cron is 'A time that is over is made up for once, however many have passed.';
comment on column refit_schedule.seen_slots is 'The decoders that were seen to differ from those of the active version.';
