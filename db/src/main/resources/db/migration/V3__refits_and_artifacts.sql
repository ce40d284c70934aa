-- Refits turn samples into artifacts; artifacts are immutable and numbered per pool.

create table refit_run
(
    id                bigint generated always as identity primary key,
    pool_id           bigint           not null references pool,
    state             text             not null default 'QUEUED'
        check (state in ('QUEUED', 'RUNNING', 'SUCCEEDED', 'REJECTED', 'FAILED', 'CANCELLED')),
    stage             text check (length(stage) between 1 and 64),
    progress          double precision not null default 0 check (progress >= 0 and progress <= 1),
    attempts          integer          not null default 0 check (attempts >= 0),
    trigger           text             not null check (trigger ~ '^[a-z][a-z-]{0,31}$'),
    force             boolean          not null default false,
    options           jsonb            not null default '{}' check (jsonb_typeof(options) = 'object'),
    input_fingerprint bytea check (length(input_fingerprint) = 32),
    requested_by      text             not null check (length(requested_by) between 1 and 200),
    created_at        timestamptz      not null,
    started_at        timestamptz,
    finished_at       timestamptz,
    version           integer,
    reason            text,
    report            jsonb,
    lock_version      integer          not null default 0,
    constraint refit_run_pool unique (pool_id, id),
    constraint refit_run_start check (case state
                                          when 'QUEUED' then started_at is null and attempts = 0
                                          when 'CANCELLED' then (started_at is null) = (attempts = 0)
                                          else started_at is not null and attempts > 0 end),
    constraint refit_run_finish check ((finished_at is not null) = (state not in ('QUEUED', 'RUNNING'))),
    constraint refit_run_version check ((version is not null) = (state = 'SUCCEEDED')),
    constraint refit_run_reason check (reason is not null or state not in ('REJECTED', 'FAILED'))
);
comment on table refit_run is 'One refit: QUEUED -> RUNNING -> SUCCEEDED | REJECTED | FAILED | CANCELLED.';
comment on column refit_run.trigger is 'What triggered it: manual, cron, drift, topology, samples.';
comment on column refit_run.input_fingerprint is 'SHA-256 over samples, slots and options: equal inputs need no second fit.';
comment on column refit_run.attempts is 'How often it was started; more than once after a crash.';

-- One refit at a time per pool, across replicas.
create unique index refit_run_running on refit_run (pool_id) where state = 'RUNNING';
create index refit_run_newest on refit_run (pool_id, id);
create index refit_run_open on refit_run (state) where state in ('QUEUED', 'RUNNING');

create function check_refit_transition() returns trigger
    language plpgsql as
$$
begin
    if not (case old.state
                when 'QUEUED' then new.state in ('QUEUED', 'RUNNING', 'CANCELLED')
                when 'RUNNING' then new.state in ('RUNNING', 'SUCCEEDED', 'REJECTED', 'FAILED', 'CANCELLED')
                else false end) then
        raise exception 'refit % cannot go from % to %', old.id, old.state, new.state
            using errcode = 'restrict_violation';
    end if;
    if (new.pool_id, new.id, new.trigger, new.force, new.options, new.requested_by, new.created_at)
        is distinct from (old.pool_id, old.id, old.trigger, old.force, old.options, old.requested_by, old.created_at) then
        raise exception 'what refit % was asked to do cannot change', old.id
            using errcode = 'restrict_violation';
    end if;
    return new;
end
$$;

create trigger refit_run_transition
    before update
    on refit_run
    for each row
execute function check_refit_transition();

create trigger refit_run_starts_queued
    before insert
    on refit_run
    for each row
    when (new.state <> 'QUEUED')
execute function refuse_change('a refit starts as QUEUED');

create table artifact
(
    id              bigint generated always as identity primary key,
    pool_id         bigint           not null references pool,
    version         integer          not null check (version > 0),
    content         bytea            not null,
    sha256          bytea            not null check (sha256 = sha256(content)),
    size_bytes      bigint           not null check (size_bytes = octet_length(content)),
    model           text             not null,
    model_revision  text,
    layers          integer          not null check (layers between 1 and 1024),
    experts         integer          not null check (experts between 1 and 4096),
    top_k           integer          not null check (top_k between 1 and experts),
    representation  text             not null check (representation ~ '^[a-z][a-z_]{0,31}$'),
    mask            integer[]        not null check (cardinality(mask) between 1 and layers),
    slots           text[]           not null check (cardinality(slots) > 0),
    recommended_tau double precision not null check (recommended_tau >= 0 and recommended_tau < 'Infinity'),
    uncalibrated    boolean          not null default false,
    report          jsonb,
    refit_run_id    bigint,
    created_at      timestamptz      not null,
    created_by      text             not null check (length(created_by) between 1 and 200),
    constraint artifact_version unique (pool_id, version),
    constraint artifact_refit unique (refit_run_id),
    foreign key (pool_id, refit_run_id) references refit_run (pool_id, id)
);
comment on table artifact is 'An immutable routing artifact in its binary form, numbered 1, 2, .. per pool.';
comment on column artifact.refit_run_id is 'The refit that made it; null for an import.';

alter table artifact
    alter column content set storage external;

alter table refit_run
    add foreign key (pool_id, version) references artifact (pool_id, version);

create trigger artifact_is_immutable
    before update or delete
    on artifact
    for each row
execute function refuse_change('artifacts are immutable');

create trigger artifact_is_never_truncated
    before truncate
    on artifact
execute function refuse_change('artifacts are immutable');
