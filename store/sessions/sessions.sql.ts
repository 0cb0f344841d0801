import { sql, statement, type Sql } from '../postgres/sql.ts';

/**
 * Begins a session of an account whose password is still the one that was proven. The row of the account is held until this
 * commits: whoever changes the password or deletes the account meanwhile finds the session and ends it.
 */
export const insertSession = statement(
  'sessions.begin',
  sql`
    insert into svc.sessions (id, collection, record, token_id, expires_at)
    select ${sql.param(1)}, account.collection, account.record, ${sql.param(4)}, ${sql.param(5)}::timestamptz
    from svc.accounts account
    where account.collection = ${sql.param(2)}
      and account.record = ${sql.param(3)}
      and account.password_hash = ${sql.param(6)}
    for share
    returning id
  `,
);

export const deleteSession = statement('sessions.end', sql`delete from svc.sessions where id = ${sql.param(1)} returning id`);

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
