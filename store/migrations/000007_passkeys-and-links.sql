-- Up Migration

-- Public keys of authenticators (Web Authentication), by their credential id in base64url.
create table svc.passkeys (
  id text collate "C" not null,
  collection text collate "C" not null references svc.collections (id) on delete cascade,
  record text collate "C" not null,
  public_key bytea not null,
  counter bigint not null,
  transports json not null,
  name text not null,
  backed_up boolean not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  primary key (collection, id)
);
create index passkeys_account on svc.passkeys (collection, record);

-- Accounts at other providers that open one of ours, by the provider's own id of them.
create table svc.linked_accounts (
  collection text collate "C" not null references svc.collections (id) on delete cascade,
  provider text collate "C" not null,
  subject text collate "C" not null,
  record text collate "C" not null,
  email text,
  created_at timestamptz(3) not null default now(),
  primary key (collection, provider, subject)
);
create index linked_accounts_account on svc.linked_accounts (collection, record);

-- The secret of an account's authenticator app, sealed; null while it has not been confirmed by a first code.
alter table svc.accounts
  add column totp_secret bytea,
  add column totp_confirmed_at timestamptz(3),
  -- The last step of 30 seconds that a code was taken for: each code is good once.
  add column totp_step bigint not null default 0,
  -- Digests of the codes that stand in for the app, each good once.
  add column recovery_codes json not null default '[]';

create or replace function svc.accounts_deleted() returns trigger
language plpgsql as $$
begin
  delete from svc.sessions where collection = tg_argv[0] and record in (select id from gone);
  delete from svc.proofs where collection = tg_argv[0] and record in (select id from gone);
  delete from svc.passkeys where collection = tg_argv[0] and record in (select id from gone);
  delete from svc.linked_accounts where collection = tg_argv[0] and record in (select id from gone);
  delete from svc.accounts where collection = tg_argv[0] and record in (select id from gone);
  return null;
end
$$;

create or replace function svc.accounts_truncated() returns trigger
language plpgsql as $$
begin
  delete from svc.sessions where collection = tg_argv[0];
  delete from svc.proofs where collection = tg_argv[0];
  delete from svc.passkeys where collection = tg_argv[0];
  delete from svc.linked_accounts where collection = tg_argv[0];
  delete from svc.accounts where collection = tg_argv[0];
  return null;
end
$$;
