import { sql, statement, type Statement } from '../../postgres/sql.ts';
import { goodPrevious, isLive } from '../../sessions/sessions.sql.ts';
import type { RecordShape } from '../shape/shape.ts';
import { documentSql } from './document.sql.ts';

/** Whether somebody has the name, whatever its case. */
export function selectUsername(shape: RecordShape): Statement {
  return statement('accounts.username', sql`select '1' from ${shape.table} record where lower(record.username) = lower(${sql.param(1)})`);
}

/** The account of an e-mail or a name, ignoring case: (version, id, document, hash of its password); nulls where there is none. */
export function selectIdentity(shape: RecordShape, by: 'username' | 'email'): Statement {
  return statement(
    `accounts.by-${by}`,
    sql`
      select catalogue.version::text, record.id, ${documentSql(shape, 'public')}, account.password_hash
      from svc.catalogue catalogue
      left join (
        ${shape.table} record
        left join svc.accounts account on account.collection = ${sql.literal(shape.collection.id)} and account.record = record.id
      ) on catalogue.version = ${sql.param(1)}::bigint and lower(record.${sql.id(by)}) = lower(${sql.param(2)})
    `,
  );
}

/** Live sessions by id, with the account as it is now: (version, session, document with hidden fields, token's id, account's id, id of the token before it while that is good). */
export function selectLiveAccounts(shape: RecordShape): Statement {
  return statement(
    'accounts.live',
    sql`
      select catalogue.version::text, session.id, ${documentSql(shape, 'full')}, session.token_id, record.id, ${goodPrevious()}
      from svc.catalogue catalogue
      left join (svc.sessions session join ${shape.table} record on record.id = session.record)
        on catalogue.version = ${sql.param(1)}::bigint
        and session.id = any(${sql.param(2)}::text[])
        and ${isLive(shape.collection.id)}
    `,
  );
}

/** Holds an account against its deletion: (version, id, document as its owner sees it); no row or nulls where there is none. */
export function selectHeldAccount(shape: RecordShape): Statement {
  return statement(
    'accounts.hold',
    sql`
      select catalogue.version::text, record.id, ${documentSql(shape, 'public')}
      from svc.catalogue catalogue, ${shape.table} record
      where record.id = ${sql.param(1)}
      for key share of record
    `,
  );
}

export function selectAnyAccount(shape: RecordShape): Statement {
  return statement('accounts.any', sql`select '1' from ${shape.table} limit 1`);
}

/** Holds some account that is not $1; no row where there is none. */
export function holdOtherAccount(shape: RecordShape): Statement {
  return statement('accounts.hold-other', sql`select '1' from ${shape.table} where id <> ${sql.param(1)} order by id limit 1 for update`);
}
