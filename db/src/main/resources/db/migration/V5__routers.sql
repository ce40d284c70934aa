-- What routers report about themselves; each writes only its own rows.

create table router_instance
(
    id         text primary key check (length(id) between 1 and 200),
    url        text check (length(url) between 1 and 2000),
    started_at timestamptz not null,
    last_seen  timestamptz not null,
    check (last_seen >= started_at)
);
comment on table router_instance is 'One run of a router; last_seen is its heartbeat.';

create table router_pool_status
(
    router_id        text        not null references router_instance on delete cascade,
    pool_id          bigint      not null references pool,
    generation       bigint check (generation > 0),
    artifact_version integer check (artifact_version > 0),
    source           text        not null check (source in ('postgres', 'disk', 'none')),
    nack_generation  bigint check (nack_generation > 0),
    nack_reason      text check (length(nack_reason) between 1 and 2000),
    updated_at       timestamptz not null,
    primary key (router_id, pool_id),
    constraint router_pool_status_runs check ((source = 'none') = (generation is null)
        and (generation is null) = (artifact_version is null)),
    constraint router_pool_status_nack check ((nack_generation is null) = (nack_reason is null))
);
comment on table router_pool_status is 'The generation that a router runs for a pool, and the one that it refused.';
comment on column router_pool_status.source is 'Where the running artifact came from; none: no artifact, requests go by load.';

create index router_pool_status_pool on router_pool_status (pool_id);
