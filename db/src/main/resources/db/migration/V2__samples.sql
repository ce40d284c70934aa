-- Calibration samples: expert counts of one request, compressed by the application.

create table sample
(
    id             bigint      not null generated always as identity,
    pool_id        bigint      not null references pool,
    request_id     text        not null check (length(request_id) between 1 and 200),
    label          text check (length(label) between 1 and 200),
    prompt_tokens  integer     not null check (prompt_tokens > 0),
    decode_tokens  integer check (decode_tokens >= 0),
    prefill        bytea       not null,
    prefill_sha256 bytea       not null check (prefill_sha256 = sha256(prefill)),
    decode         bytea,
    decode_sha256  bytea check (decode_sha256 = sha256(decode)),
    source         text        not null check (source ~ '^[a-z][a-z-]{0,31}$'),
    created_at     timestamptz not null,
    primary key (pool_id, id),
    constraint sample_request unique (pool_id, request_id),
    constraint sample_decode_is_whole check ((decode is null) = (decode_sha256 is null)
        and (decode is null or coalesce(decode_tokens, 0) > 0))
);
comment on table sample is 'Expert counts of one request: its prompt and, where known, its decode tokens.';
comment on column sample.source is 'How it came in: api, import, replay, online.';

-- The payloads are deflated already.
alter table sample
    alter column prefill set storage external,
    alter column decode set storage external;

-- 'The newest N of a pool' is read from the primary key, and from this where only those with decode counts are wanted.
-- There is no index on the id alone: it would tempt the planner to walk through the samples of all pools.
create index sample_newest_with_decode on sample (pool_id, id) where decode is not null;
-- Retention by age.
create index sample_age on sample (pool_id, created_at);

create trigger sample_never_changes
    before update
    on sample
    for each row
execute function refuse_change('a sample never changes, retention only deletes it');
