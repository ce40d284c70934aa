-- Evaluations predict how policies would do on a pool's samples; they change nothing in the pool.

create table evaluation_run
(
    id                bigint generated always as identity primary key,
    pool_id           bigint           not null references pool,
    state             text             not null default 'QUEUED'
        check (state in ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED')),
    stage             text check (length(stage) between 1 and 64),
    progress          double precision not null default 0 check (progress >= 0 and progress <= 1),
    attempts          integer          not null default 0 check (attempts >= 0),
    options           jsonb            not null check (jsonb_typeof(options) = 'object'),
    requested_by      text             not null check (length(requested_by) between 1 and 200),
    requested_through text check (length(requested_through) between 1 and 200),
    created_at        timestamptz      not null,
    started_at        timestamptz,
    finished_at       timestamptz,
    reason            text,
    report            jsonb,
    lock_version      integer          not null default 0,
    constraint evaluation_run_start check (case state
                                               when 'QUEUED' then started_at is null and attempts = 0
                                               when 'CANCELLED' then (started_at is null) = (attempts = 0)
                                               else started_at is not null and attempts > 0 end),
    constraint evaluation_run_finish check ((finished_at is not null) = (state not in ('QUEUED', 'RUNNING'))),
    constraint evaluation_run_reason check (reason is not null or state <> 'FAILED'),
    constraint evaluation_run_report check ((report is not null) = (state = 'SUCCEEDED'))
);
comment on table evaluation_run is 'One evaluation: QUEUED -> RUNNING -> SUCCEEDED | FAILED | CANCELLED.';
comment on column evaluation_run.attempts is 'How often it was started; more than once after a crash.';

-- One evaluation at a time per pool, across replicas.
create unique index evaluation_run_running on evaluation_run (pool_id) where state = 'RUNNING';
create index evaluation_run_newest on evaluation_run (pool_id, id);

create function check_evaluation_transition() returns trigger
    language plpgsql as
$$
begin
    if not (case old.state
                when 'QUEUED' then new.state in ('QUEUED', 'RUNNING', 'CANCELLED')
                when 'RUNNING' then new.state in ('RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED')
                else false end) then
        raise exception 'evaluation % cannot go from % to %', old.id, old.state, new.state
            using errcode = 'restrict_violation';
    end if;
    if (new.pool_id, new.id, new.options, new.requested_by, new.requested_through, new.created_at)
        is distinct from (old.pool_id, old.id, old.options, old.requested_by, old.requested_through,
                          old.created_at) then
        raise exception 'what evaluation % was asked to do cannot change', old.id
            using errcode = 'restrict_violation';
    end if;
    return new;
end
$$;

create trigger evaluation_run_transition
    before update
    on evaluation_run
    for each row
execute function check_evaluation_transition();

create trigger evaluation_run_starts_queued
    before insert
    on evaluation_run
    for each row
    when (new.state <> 'QUEUED')
execute function refuse_change('an evaluation starts as QUEUED');
