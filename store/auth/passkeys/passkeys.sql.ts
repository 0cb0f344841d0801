import { sql, statement } from '../../postgres/sql.ts';

/** Keeps a passkey: (id, collection, record, public key, hexadecimal, counter, transports, name, backed up); no row where there is one of this id. */
export const insertPasskey = statement(
  'passkeys.insert',
  sql`
    insert into svc.passkeys (id, collection, record, public_key, counter, transports, name, backed_up)
    values (${sql.param(1)}, ${sql.param(2)}, ${sql.param(3)}, decode(${sql.param(4)}, 'hex'), ${sql.param(5)}::bigint,
      ${sql.param(6)}::json, ${sql.param(7)}, ${sql.param(8)}::boolean)
    on conflict do nothing
    returning id
  `,
);

/** The passkey of a credential id: (record, public key, hexadecimal, counter, transports). */
export const selectPasskey = statement(
  'passkeys.read',
  sql`
    select record, encode(public_key, 'hex'), counter::text, transports::text
    from svc.passkeys
    where collection = ${sql.param(1)}
      and id = ${sql.param(2)}
  `,
);

/** Takes down that a passkey was used: (collection, id, counter before, counter now); no row where it was used at the same moment. */
export const countPasskey = statement(
  'passkeys.count',
  sql`
    update svc.passkeys
    set counter = ${sql.param(4)}::bigint, last_used_at = now()
    where collection = ${sql.param(1)}
      and id = ${sql.param(2)}
      and counter = ${sql.param(3)}::bigint
    returning id
  `,
);

/** The passkeys of an account: (id, transports, name, backed up, created, last used), the oldest first. */
export const selectPasskeys = statement(
  'passkeys.list',
  sql`
    select id, transports::text, name, backed_up::text, ${wire('created_at')}, ${wire('last_used_at')}
    from svc.passkeys
    where collection = ${sql.param(1)}
      and record = ${sql.param(2)}
    order by created_at, id
  `,
);

export const deletePasskey = statement(
  'passkeys.delete',
  sql`
    delete from svc.passkeys
    where collection = ${sql.param(1)}
      and record = ${sql.param(2)}
      and id = ${sql.param(3)}
    returning id
  `,
);

function wire(column: string) {
  return sql`to_char(${sql.id(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
