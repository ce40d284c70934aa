-- Intent: which pools exist, which workers serve them, and what routers see of those workers.

create function refuse_change() returns trigger
    language plpgsql as
$$
begin
    raise exception '% of % is not allowed: %', lower(tg_op), tg_table_name, tg_argv[0]
        using errcode = 'restrict_violation';
end
$$;

create table pool
(
    id             bigint generated always as identity primary key,
    name           text        not null check (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$'),
    model          text        not null check (length(model) between 1 and 200),
    revision       text check (length(revision) between 1 and 200),
    layers         integer     not null check (layers between 1 and 1024),
    experts        integer     not null check (experts between 1 and 4096),
    top_k          integer     not null check (top_k between 1 and experts),
    aliases        text[]      not null default '{}' check (array_position(aliases, null) is null),
    policy         text        not null default 'eldr' check (policy ~ '^[a-z0-9][a-z0-9-]{0,31}$'),
    tau            double precision check (tau >= 0 and tau <= 2),
    min_candidates integer check (min_candidates between 1 and 10000),
    pinned         boolean     not null default false,
    mode           text        not null default 'automatic' check (mode in ('automatic', 'propose')),
    created_at     timestamptz not null,
    updated_at     timestamptz not null,
    deleted_at     timestamptz,
    lock_version   integer     not null default 0
);
comment on table pool is 'One model with its workers and geometry. A deleted pool stays as the owner of its history.';
comment on column pool.tau is 'Width of the locality band; null leaves it to the artifact (auto).';
comment on column pool.min_candidates is 'Smallest band; null lets the policy choose by the number of decoders.';
comment on column pool.pinned is 'True: no automatic activation.';
comment on column pool.lock_version is 'Counts the writes of the registry, to find lost updates.';

-- A name is taken only while its pool lives.
create unique index pool_live_name on pool (name) where deleted_at is null;
create index pool_name on pool (name);

create table worker
(
    id            bigint generated always as identity primary key,
    pool_id       bigint           not null references pool,
    slot          text             not null check (length(slot) between 1 and 253),
    role          text             not null check (role in ('decode', 'prefill')),
    url           text             not null check (length(url) between 1 and 2000),
    weight        double precision not null default 1 check (weight > 0 and weight <= 1000000),
    max_in_flight integer check (max_in_flight > 0),
    probe         text             not null default 'http' check (probe in ('http', 'none')),
    revision      text check (length(revision) between 1 and 200),
    source        text             not null check (source in ('registered', 'static', 'kubernetes')),
    desired_state text             not null default 'serving' check (desired_state in ('serving', 'draining')),
    created_at    timestamptz      not null,
    updated_at    timestamptz      not null,
    lock_version  integer          not null default 0,
    constraint worker_slot unique (pool_id, slot)
);
comment on table worker is 'A slot that the operator declared: a decoder or prefiller with a stable name.';
comment on column worker.max_in_flight is 'Null: unlimited.';

create table incarnation
(
    pool_id    bigint      not null references pool,
    slot       text        not null check (length(slot) between 1 and 253),
    uid        text        not null check (length(uid) between 1 and 200),
    role       text        not null check (role in ('decode', 'prefill')),
    url        text        not null check (length(url) between 1 and 2000),
    first_seen timestamptz not null,
    last_seen  timestamptz not null,
    seen_by    text        not null check (length(seen_by) between 1 and 200),
    primary key (pool_id, slot, uid),
    check (last_seen >= first_seen)
);
comment on table incarnation is
    'What routers observe: a slot as one process run (pod uid or start counter). Routers upsert it.';
comment on column incarnation.seen_by is 'The router instance that saw it last.';

-- Tells routers that intent changed; they read what changed by themselves. A lost notification is found by polling.
create function notify_intent() returns trigger
    language plpgsql as
$$
begin
    if tg_table_name = 'pool' then
        perform pg_notify('eldr_intent', coalesce(new.name, old.name));
        if tg_op = 'UPDATE' and new.name <> old.name then
            perform pg_notify('eldr_intent', old.name);
        end if;
    else
        perform pg_notify('eldr_intent', pool.name)
        from pool
        where pool.id = coalesce(new.pool_id, old.pool_id);
    end if;
    return null;
end
$$;

create trigger pool_intent
    after insert or update or delete
    on pool
    for each row
execute function notify_intent();

create trigger worker_intent
    after insert or update or delete
    on worker
    for each row
execute function notify_intent();
