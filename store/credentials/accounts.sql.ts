import { sql, statement } from '../postgres/sql.ts';

/** The hash of an account's password; no row, or null, where it has none. */
export const selectPasswordHash = statement(
  'accounts.password',
  sql`
    select password_hash
    from svc.accounts
    where collection = ${sql.param(1)}
      and record = ${sql.param(2)}
  `,
);

/** Holds the password of an account; no row where it is another one than $3. */
export const holdPassword = statement(
  'accounts.hold-password',
  sql`
    select '1'
    from svc.accounts
    where collection = ${sql.param(1)}
      and record = ${sql.param(2)}
      and password_hash = ${sql.param(3)}
    for share
  `,
);

/** Takes away what opens an account, by the tables that keep it. */
export const forgetSecrets = [
  statement(
    'accounts.forget-secrets',
    sql`
      update svc.accounts
      set password_hash = null, totp_secret = null, totp_confirmed_at = null, recovery_codes = '[]'
      where collection = ${sql.param(1)}
        and record = ${sql.param(2)}
    `,
  ),
  statement('accounts.forget-passkeys', sql`delete from svc.passkeys where collection = ${sql.param(1)} and record = ${sql.param(2)}`),
  statement('accounts.forget-links', sql`delete from svc.linked_accounts where collection = ${sql.param(1)} and record = ${sql.param(2)}`),
] as const;

/** Gives an account another password, if it still has the one that $4 is the hash of (null: none). No row where it has not. */
export const replacePassword = statement(
  'accounts.replace-password',
  sql`
    insert into svc.accounts as account (collection, record, password_hash)
    values (${sql.param(1)}, ${sql.param(2)}, ${sql.param(3)})
    on conflict (collection, record) do update
      set password_hash = excluded.password_hash
      where account.password_hash is not distinct from ${sql.param(4)}::text
    returning '1'
  `,
);
