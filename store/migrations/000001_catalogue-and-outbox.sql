-- Up Migration

-- What the service keeps for itself is in `svc`, the tables of the users' collections are in `data`.
-- Needs the right to create in the database, no superuser and no extension.
do $$
begin
  if current_setting('server_version_num')::integer < 150000 then
    raise exception 'PostgreSQL 15 or newer is needed; this server is %', current_setting('server_version');
  end if;
  if current_setting('server_encoding') <> 'UTF8' then
    raise exception 'The database must have the encoding UTF8; this one has %', current_setting('server_encoding');
  end if;
end
$$;

create schema if not exists svc;
create schema data;

-- One row. A change of schema locks it first, so that there is one at a time, and counts it up in its own transaction:
-- whoever compares this number with the one he compiled for knows whether he may go on.
create table svc.catalogue (
  is_only boolean primary key default true check (is_only),
  version bigint not null
);
insert into svc.catalogue (version) values (1);

-- `json`, not `jsonb`: options and defaults keep their order and digits.
create table svc.collections (
  id text collate "C" primary key,
  name text collate "C" not null,
  type text collate "C" not null,
  system boolean not null default false,
  definition json not null,
  doc_version bigint not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index collections_name_key on svc.collections (lower(name));

-- The log of changes, written in the transaction of each change. `seq` is also the version of the record. The sequence
-- hands out single values (cache 1): one record's later change must have the greater number, whatever session made it.
-- It stands by itself because the tables of collections use it too, for rows inserted by hand.
create sequence svc.outbox_seq_seq as bigint cache 1;
create table svc.outbox (
  seq bigint not null default nextval('svc.outbox_seq_seq') primary key,
  xid xid8 not null default pg_current_xact_id(),
  collection text collate "C" not null,
  record text collate "C" not null,
  action text collate "C" not null check (action in ('create', 'update', 'delete', 'truncate')),
  catalogue bigint not null,
  old text,
  new text,
  at timestamptz(3) not null default now()
);
alter sequence svc.outbox_seq_seq owned by svc.outbox.seq;

-- Answers kept for those who ask again with the same key, inserted in the transaction of the write that they answer.
create table svc.idempotency (
  principal text collate "C" not null,
  method text collate "C" not null,
  path text collate "C" not null,
  key text collate "C" not null,
  body_hash bytea not null,
  status integer,
  answer text,
  etag text,
  created_at timestamptz(3) not null default now(),
  primary key (principal, method, path, key)
);
create index idempotency_created_at on svc.idempotency (created_at);

-- Every row keeps its ready JSON in _doc, and in _doc_v the version of the definition that made it. Somebody who edits a
-- row by hand leaves both as they were: this trigger (its condition compares old and new) marks the document as stale.
create function svc.document_untracked() returns trigger
language plpgsql as $$
begin
  new._doc_v := null;
  return new;
end
$$;

-- The same for the join table of a relation to many, whose lists stand in their owners' documents. An owner written in
-- this transaction has been given its document by the service: its xmin is ours.
create function svc.links_untracked() returns trigger
language plpgsql as $$
declare
  owner_table name;
begin
  select collection.name into owner_table from svc.collections as collection where collection.id = tg_argv[0];
  execute format(
    'update data.%I as owner set _doc_v = null
     where owner.id in (select record from changed)
       and owner._doc_v is not null
       and owner.xmin <> pg_current_xact_id()::xid',
    owner_table
  );
  return null;
end
$$;
