-- Up Migration

-- What root has saved of the settings: JSON, sealed under SVC_ENCRYPTION_KEY as a whole, because some of it is secret.
create table svc.settings (
  is_only boolean primary key default true check (is_only),
  version bigint not null default 0,
  saved bytea
);
insert into svc.settings default values;
