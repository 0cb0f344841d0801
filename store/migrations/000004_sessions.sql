-- Up Migration

-- A refresh puts a new token in the place of the last one, which stays good for a moment, so that parallel refreshes all
-- succeed; used later at a refresh it is stolen goods and ends the session. The rest says to its owner which session it is.
alter table svc.sessions
  add column previous_token_id text collate "C",
  add column previous_until timestamptz(3),
  add column method text not null default 'password',
  add column address text not null default '',
  add column user_agent text not null default '',
  add column refreshed_at timestamptz(3);
