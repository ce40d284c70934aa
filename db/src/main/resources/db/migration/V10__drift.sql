-- What routers observe of requests, merged over routers, and what was made of it.

create table observation_source
(
    pool_id       bigint      not null references pool,
    router        text        not null check (length(router) between 1 and 100),
    last_sequence bigint      not null check (last_sequence > 0),
    last_seen     timestamptz not null,
    primary key (pool_id, router)
);
comment on table observation_source is 'The last post of each run of a router: one that comes again is not counted again.';

create table drift_watch
(
    pool_id           bigint primary key references pool,
    generation        bigint           not null check (generation > 0),
    version           integer          not null check (version > 0),
    requests          bigint           not null check (requests >= 0),
    without_signature bigint           not null check (without_signature between 0 and requests),
    nearest           bigint[]         not null,
    similarities      bigint[]         not null,
    similarity_sum    double precision not null,
    spilled           bigint           not null check (spilled >= 0),
    singleton_bands   bigint           not null check (singleton_bands >= 0),
    started_at        timestamptz      not null,
    in_row            integer          not null check (in_row >= 0),
    alarm             boolean          not null,
    alarm_since       timestamptz,
    refit_requested   boolean          not null default false,
    constraint drift_watch_alarm check (alarm = (alarm_since is not null))
);
comment on table drift_watch is
    'One row per pool: the window that fills up for the generation that serves, and the state that the windows before it left.';
comment on column drift_watch.in_row is 'How many of the newest windows in a row speak against alarm.';
comment on column drift_watch.refit_requested is 'Whether a refit was asked for since the alarm was raised.';

create table observation_window
(
    id                      bigint generated always as identity primary key,
    pool_id                 bigint           not null references pool,
    generation              bigint           not null check (generation > 0),
    version                 integer          not null check (version > 0),
    started_at              timestamptz      not null,
    ended_at                timestamptz      not null,
    requests                bigint           not null check (requests > 0),
    without_signature_share double precision not null,
    psi                     double precision not null,
    psi_threshold           double precision not null,
    ks                      double precision not null,
    ks_threshold            double precision not null,
    mean_similarity         double precision not null,
    held_out_similarity     double precision not null,
    mix_shift               boolean          not null,
    new_content             boolean          not null,
    hottest_cluster         integer          not null check (hottest_cluster >= 0),
    hottest_slot            text             not null,
    hottest_share           double precision not null,
    hottest_held_out_share  double precision not null,
    spill_rate              double precision not null,
    singleton_band_share    double precision not null,
    alarm                   boolean          not null
);
comment on table observation_window is 'What each full window said when it was compared with the held-out requests of its artifact.';
comment on column observation_window.alarm is 'Whether the pool was in alarm after it.';

create index observation_window_newest on observation_window (pool_id, id);
