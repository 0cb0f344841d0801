import { sql, statement } from '../../postgres/sql.ts';

/** Keeps a secret that is not confirmed yet: (collection, record, secret, hexadecimal); no row where one is confirmed already. */
export const keepSecret = statement(
  'mfa.keep-secret',
  sql`
    insert into svc.accounts as account (collection, record, totp_secret)
    values (${sql.param(1)}, ${sql.param(2)}, decode(${sql.param(3)}, 'hex'))
    on conflict (collection, record) do update
      set totp_secret = excluded.totp_secret
      where account.totp_confirmed_at is null
    returning '1'
  `,
);

/** The second factor of an account, held: (secret, hexadecimal, whether it is confirmed, the last step taken, digests of recovery codes). */
export const holdFactor = statement(
  'mfa.hold',
  sql`
    select encode(totp_secret, 'hex'), (totp_confirmed_at is not null)::text, totp_step::text, recovery_codes::text
    from svc.accounts
    where collection = ${sql.param(1)}
      and record = ${sql.param(2)}
      and totp_secret is not null
    for update
  `,
);

/** The secret is confirmed by a code of the step $3; these recovery codes stand in for it. */
export const confirmFactor = statement(
  'mfa.confirm',
  sql`
    update svc.accounts
    set totp_confirmed_at = now(), totp_step = ${sql.param(3)}::bigint, recovery_codes = ${sql.param(4)}::json
    where collection = ${sql.param(1)}
      and record = ${sql.param(2)}
  `,
);

/** A code was taken: its step, and the recovery codes that are left. */
export const useFactor = statement(
  'mfa.use',
  sql`
    update svc.accounts
    set totp_step = ${sql.param(3)}::bigint, recovery_codes = ${sql.param(4)}::json
    where collection = ${sql.param(1)}
      and record = ${sql.param(2)}
  `,
);

export const dropFactor = statement(
  'mfa.drop',
  sql`
    update svc.accounts
    set totp_secret = null, totp_confirmed_at = null, totp_step = 0, recovery_codes = '[]'
    where collection = ${sql.param(1)}
      and record = ${sql.param(2)}
      and totp_secret is not null
    returning '1'
  `,
);
