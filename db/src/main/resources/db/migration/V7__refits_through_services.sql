-- Who asked for a refit, and through which service.

alter table refit_run
    add column requested_through text check (length(requested_through) between 1 and 200);
comment on column refit_run.requested_by is 'The user, or the token''s name.';
comment on column refit_run.requested_through is 'The service whose token was used on the user''s behalf; null if there was none.';

create or replace function check_refit_transition() returns trigger
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
    if (new.pool_id, new.id, new.trigger, new.force, new.options, new.requested_by, new.requested_through,
        new.created_at)
        is distinct from (old.pool_id, old.id, old.trigger, old.force, old.options, old.requested_by,
                          old.requested_through, old.created_at) then
        raise exception 'what refit % was asked to do cannot change', old.id
            using errcode = 'restrict_violation';
    end if;
    return new;
end
$$;
