-- Up Migration

-- Work that is done later, at least once, by whoever claims it: mail first. The payload is sealed, because mail carries codes.
create table svc.jobs (
  id text collate "C" primary key,
  queue text collate "C" not null,
  -- What it is, for people; holds no secret.
  title text not null,
  payload bytea not null,
  state text collate "C" not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  attempts integer not null default 0,
  last_error text,
  created_at timestamptz(3) not null default now(),
  run_at timestamptz(3) not null default now(),
  -- Of who has claimed it; past its end somebody else may.
  lease text collate "C",
  lease_until timestamptz(3),
  finished_at timestamptz(3)
);
create index jobs_due on svc.jobs (queue, run_at) where state in ('waiting', 'running');
create index jobs_finished on svc.jobs (finished_at) where finished_at is not null;
create index jobs_created on svc.jobs (created_at desc, id);

-- What somebody was given to prove something by, once and for a while: links and codes by mail, challenges, states, grants.
-- Only a digest of it is kept. A proof of an account goes with the account.
create table svc.proofs (
  kind text collate "C" not null,
  digest text collate "C" not null,
  collection text collate "C" references svc.collections (id) on delete cascade,
  record text collate "C",
  -- The address that it was sent to, in lower case.
  email text collate "C",
  data json not null default '{}',
  attempts_left integer not null default 1,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  primary key (kind, digest)
);
create index proofs_account on svc.proofs (collection, record);
create index proofs_expires_at on svc.proofs (expires_at);

-- How often something was tried, by a digest of what and who, since the window began.
create table svc.attempts (
  key text collate "C" primary key,
  count integer not null,
  until timestamptz(3) not null
);
create index attempts_until on svc.attempts (until);

create table svc.email_templates (
  collection text collate "C" not null references svc.collections (id) on delete cascade,
  kind text collate "C" not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  primary key (collection, kind)
);

create or replace function svc.accounts_deleted() returns trigger
language plpgsql as $$
begin
  delete from svc.sessions where collection = tg_argv[0] and record in (select id from gone);
  delete from svc.proofs where collection = tg_argv[0] and record in (select id from gone);
  delete from svc.accounts where collection = tg_argv[0] and record in (select id from gone);
  return null;
end
$$;

create or replace function svc.accounts_truncated() returns trigger
language plpgsql as $$
begin
  delete from svc.sessions where collection = tg_argv[0];
  delete from svc.proofs where collection = tg_argv[0];
  delete from svc.accounts where collection = tg_argv[0];
  return null;
end
$$;
