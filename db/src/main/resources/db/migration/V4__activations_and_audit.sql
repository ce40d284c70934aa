-- What is served and who decided it: two append-only histories.

create table activation
(
    id             bigint generated always as identity primary key,
    pool_id        bigint      not null,
    generation     bigint      not null check (generation > 0),
    version        integer     not null,
    kind           text        not null check (kind in ('activate', 'rollback')),
    actor          text        not null check (length(actor) between 1 and 200),
    acting_through text check (length(acting_through) between 1 and 200),
    reason         text check (length(reason) between 1 and 2000),
    activated_at   timestamptz not null,
    constraint activation_generation unique (pool_id, generation),
    foreign key (pool_id, version) references artifact (pool_id, version)
);
comment on table activation is
    'Which artifact version a pool serves from when on; the highest generation is the current one.';
comment on column activation.acting_through is 'The service that acted for the actor.';

-- 'What was active at time T' reads one index entry.
create index activation_time on activation (pool_id, activated_at desc, generation desc);

create function check_activation_order() returns trigger
    language plpgsql as
$$
declare
    last activation;
begin
    select * into last from activation where pool_id = new.pool_id order by generation desc limit 1;
    if found and (new.generation <= last.generation or new.activated_at < last.activated_at) then
        raise exception 'activation % at % does not follow generation % at %',
            new.generation, new.activated_at, last.generation, last.activated_at
            using errcode = 'restrict_violation';
    end if;
    return new;
end
$$;

create trigger activation_only_grows
    before insert
    on activation
    for each row
execute function check_activation_order();

create trigger activation_is_append_only
    before update or delete
    on activation
    for each row
execute function refuse_change('the history of activations is append-only');

create trigger activation_is_never_truncated
    before truncate
    on activation
execute function refuse_change('the history of activations is append-only');

create trigger activation_intent
    after insert
    on activation
    for each row
execute function notify_intent();

create table audit_entry
(
    id             bigint generated always as identity primary key,
    at             timestamptz not null,
    actor          text        not null check (length(actor) between 1 and 200),
    acting_through text check (length(acting_through) between 1 and 200),
    action         text        not null check (action ~ '^[a-z][a-z.-]{0,63}$'),
    pool           text check (length(pool) between 1 and 63),
    subject        text        not null check (length(subject) between 1 and 500),
    before         jsonb,
    after          jsonb
);
comment on table audit_entry is 'Who changed what, written in the transaction of the change itself.';
comment on column audit_entry.pool is 'The name, not a key: the entry outlives the pool.';

create index audit_entry_pool on audit_entry (pool, id);

create trigger audit_entry_is_append_only
    before update or delete
    on audit_entry
    for each row
execute function refuse_change('the audit log is append-only');

create trigger audit_entry_is_never_truncated
    before truncate
    on audit_entry
execute function refuse_change('the audit log is append-only');
