-- Up Migration

-- One database is one cluster. `key_check` is a known text sealed under SVC_ENCRYPTION_KEY: a node with another key cannot
-- open it and does not start.
create table svc.installation (
  is_only boolean primary key default true check (is_only),
  id text collate "C" not null default gen_random_uuid()::text,
  key_check bytea
);
insert into svc.installation default values;

-- The secrets of accounts, apart from their records: no record, event or answer can hold one.
create table svc.accounts (
  collection text collate "C" not null references svc.collections (id) on delete cascade,
  record text collate "C" not null,
  password_hash text,
  primary key (collection, record)
);

-- One row for each sign-in that is not over. Its token is good only while the row is there.
create table svc.sessions (
  id text collate "C" primary key,
  collection text collate "C" not null references svc.collections (id) on delete cascade,
  record text collate "C" not null,
  token_id text collate "C" not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index sessions_account on svc.sessions (collection, record);
create index sessions_expires_at on svc.sessions (expires_at);

-- The keys that sign tokens. The private half is sealed under SVC_ENCRYPTION_KEY.
create table svc.signing_keys (
  id text collate "C" primary key,
  public_key json not null,
  private_key bytea not null,
  created_at timestamptz(3) not null default now(),
  retired_at timestamptz(3)
);

-- What belongs to an account goes with its record, whoever deletes it and however; a later record of the same id is another's.
create function svc.accounts_deleted() returns trigger
language plpgsql as $$
begin
  delete from svc.sessions where collection = tg_argv[0] and record in (select id from gone);
  delete from svc.accounts where collection = tg_argv[0] and record in (select id from gone);
  return null;
end
$$;

create function svc.accounts_truncated() returns trigger
language plpgsql as $$
begin
  delete from svc.sessions where collection = tg_argv[0];
  delete from svc.accounts where collection = tg_argv[0];
  return null;
end
$$;
