-- How long a pool keeps its samples, how many of its requests become some, and the timed work that sees to it.

alter table pool
    add column max_samples         integer check (max_samples between 1 and 100000000),
    add column max_sample_age_days integer check (max_sample_age_days between 1 and 36500),
    add column sampling_rate       double precision not null default 0.1
        check (sampling_rate >= 0 and sampling_rate <= 1);
comment on column pool.max_samples is 'So many of the newest samples are kept; null leaves it to the service.';
comment on column pool.max_sample_age_days is 'Older samples are deleted; null leaves it to the service.';
comment on column pool.sampling_rate is 'The share of live requests that routers send in as samples.';

-- A table of db-scheduler 16.7 like scheduled_tasks, of a scheduler of its own: housekeeping neither waits for refits nor
-- holds them up.
create table housekeeping_tasks
(
    task_name            text        not null,
    task_instance        text        not null,
    task_data            bytea,
    execution_time       timestamptz not null,
    picked               boolean     not null,
    picked_by            text,
    last_success         timestamptz,
    last_failure         timestamptz,
    consecutive_failures integer,
    last_heartbeat       timestamptz,
    version              bigint      not null,
    priority             smallint,
    primary key (task_name, task_instance)
);

create index housekeeping_tasks_execution_time on housekeeping_tasks (execution_time);
create index housekeeping_tasks_last_heartbeat on housekeeping_tasks (last_heartbeat);
create index housekeeping_tasks_priority on housekeeping_tasks (priority desc, execution_time);
