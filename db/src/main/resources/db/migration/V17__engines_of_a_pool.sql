-- How the gateway speaks to a pool's engines.

alter table pool
    add column dialect      text   not null default 'vllm' check (dialect in ('vllm', 'prefill-first')),
    add column engine_model text   check (length(engine_model) between 1 and 200),
    add column adapters     text[] not null default '{}' check (array_position(adapters, null) is null);
comment on column pool.dialect is 'What prefill and decode workers understand.';
comment on column pool.engine_model is 'What engines call the model; aliases are rewritten to it. Null: names are passed on as they are.';
comment on column pool.adapters is 'Names of adapters that engines serve beside the model; never rewritten.';
