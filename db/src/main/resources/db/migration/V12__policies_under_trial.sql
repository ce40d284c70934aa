-- How a pool's band treats hot decoders, and which policies it tries beside or in turn with its own. All null: off.

alter table pool
    add column hot_factor        double precision check (hot_factor between 1 and 100),
    add column hot_min_excess    integer check (hot_min_excess between 0 and 10000),
    add column hot_kv_cap        double precision check (hot_kv_cap > 0 and hot_kv_cap <= 1),
    add column shadow_policy     text check (shadow_policy ~ '^[a-z0-9][a-z0-9-]{0,31}$'),
    add column shadow_tau        double precision check (shadow_tau between 0 and 2),
    add column switchback_first  text check (switchback_first ~ '^[a-z0-9][a-z0-9-]{0,31}$'),
    add column switchback_second text check (switchback_second ~ '^[a-z0-9][a-z0-9-]{0,31}$'),
    add column switchback_minutes integer check (switchback_minutes between 1 and 1440),
    add constraint pool_hot_is_whole check (num_nonnulls(hot_factor, hot_min_excess, hot_kv_cap) in (0, 3)),
    add constraint pool_shadow_is_whole check (shadow_tau is null or shadow_policy is not null),
    add constraint pool_switchback_is_whole
        check (num_nonnulls(switchback_first, switchback_second, switchback_minutes) in (0, 3)),
    add constraint pool_switchback_changes check (switchback_first <> switchback_second);
comment on column pool.hot_factor is 'A decoder this many times over the mean load, and min_excess above it, leaves the band.';
comment on column pool.shadow_policy is 'Decides beside the live policy and reserves nothing.';
comment on column pool.switchback_first is 'Serves even windows of switchback_minutes, counted from 1970 in UTC; the second serves odd ones.';
