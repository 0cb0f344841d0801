import { sql, statement, type Sql } from '../postgres/sql.ts';

/** Begins a session of an account whose row is held. */
export const insertSession = statement(
  'sessions.begin',
  sql`
    insert into svc.sessions (id, collection, record, token_id, expires_at, method, address, user_agent)
    values (${sql.param(1)}, ${sql.param(2)}, ${sql.param(3)}, ${sql.param(4)}, ${sql.param(5)}::timestamptz,
      ${sql.param(6)}, ${sql.param(7)}, ${sql.param(8)})
  `,
);

/** Holds a live session of a collection: (record, token's id, the id of the token before it while that is good, when it expires). */
export const holdSession = statement(
  'sessions.hold',
  sql`
    select record, token_id, ${goodPrevious()}, ${wire('expires_at')}
    from svc.sessions session
    where id = ${sql.param(1)}
      and collection = ${sql.param(2)}
      and expires_at > now()
    for update
  `,
);

/** Gives a session that is held another token and a later end; the token before it stays good for a moment. */
export const renewSession = statement(
  'sessions.renew',
  sql`
    update svc.sessions
    set token_id = ${sql.param(2)},
      expires_at = ${sql.param(3)}::timestamptz,
      previous_token_id = ${sql.param(4)},
      previous_until = ${sql.param(5)}::timestamptz,
      refreshed_at = now()
    where id = ${sql.param(1)}
  `,
);

export const deleteSession = statement('sessions.end', sql`delete from svc.sessions where id = ${sql.param(1)} returning id`);

/** A live session of an account: (id, seconds since it began). */
export const selectSession = statement(
  'sessions.read',
  sql`
    select id, extract(epoch from now() - created_at)::text
    from svc.sessions
    where id = ${sql.param(1)}
      and collection = ${sql.param(2)}
      and record = ${sql.param(3)}
      and expires_at > now()
  `,
);

/** Ends one session of an account; no row where there is none. */
export const deleteSessionOf = statement(
  'sessions.end-one',
  sql`
    delete from svc.sessions
    where collection = ${sql.param(1)}
      and record = ${sql.param(2)}
      and id = ${sql.param(3)}
    returning id
  `,
);

/** Ends the sessions of an account, all but one. */
export const deleteOtherSessions = statement(
  'sessions.end-others',
  sql`
    delete from svc.sessions
    where collection = ${sql.param(1)}
      and record = ${sql.param(2)}
      and id <> ${sql.param(3)}
  `,
);

export const deleteSessionsOf = statement(
  'sessions.end-all',
  sql`delete from svc.sessions where collection = ${sql.param(1)} and record = ${sql.param(2)}`,
);

/** The live sessions of an account: (id, method, address, user agent, begun, refreshed, expires), the newest first. */
export const selectSessions = statement(
  'sessions.list',
  sql`
    select id, method, address, user_agent, ${wire('created_at')}, ${wire('refreshed_at')}, ${wire('expires_at')}
    from svc.sessions
    where collection = ${sql.param(1)}
      and record = ${sql.param(2)}
      and expires_at > now()
    order by created_at desc, id
    limit 1000
  `,
);

/** Forgets sessions that are over, some at a time. */
export const forgetSessions = statement(
  'sessions.forget',
  sql`
    delete from svc.sessions
    where ctid = any(array(
      select ctid
      from svc.sessions
      where expires_at < now()
      limit 1000
      for update skip locked
    ))
    returning '1'
  `,
);

/** What holds of the row `session` of a live session of an account of the collection. */
export function isLive(collectionId: string): Sql {
  return sql`session.collection = ${sql.literal(collectionId)} and session.expires_at > now()`;
}

/** The token before the present one of the row `session`, while it is good. */
export function goodPrevious(): Sql {
  return sql`case when session.previous_until > now() then session.previous_token_id end`;
}

function wire(column: string): Sql {
  return sql`to_char(${sql.id(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
