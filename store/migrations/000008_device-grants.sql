-- Up Migration

-- Devices that ask to be let in (RFC 8628): what they poll by, and what their user types, as digests only.
create table svc.device_grants (
  device_digest text collate "C" primary key,
  user_digest text collate "C" not null unique,
  collection text collate "C" not null references svc.collections (id) on delete cascade,
  client_id text not null,
  scope text not null,
  address text not null,
  user_agent text not null,
  status text collate "C" not null default 'pending' check (status in ('pending', 'approved', 'denied')),
  record text collate "C",
  interval_s integer not null,
  polled_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index device_grants_expires_at on svc.device_grants (expires_at);
