import { sql, statement } from '../postgres/sql.ts';

/** The keys that tokens may be signed with, the newest first: (id, public key as JWK, private key sealed, hexadecimal, retired). */
export const selectSigningKeys = statement(
  'signing-keys.read',
  sql`
    select id, public_key::text, encode(private_key, 'hex'), (retired_at is not null)::text
    from svc.signing_keys
    order by created_at desc, id
  `,
);

/** Leaves a first key; nothing where somebody was faster, who holds the installation's row until he commits. */
export const insertFirstKey = statement(
  'signing-keys.first',
  sql`
    insert into svc.signing_keys (id, public_key, private_key)
    select ${sql.param(1)}, ${sql.param(2)}::json, decode(${sql.param(3)}, 'hex')
    where not exists (select from svc.signing_keys where retired_at is null)
  `,
);

export const lockInstallation = statement('installation.lock', sql`select id from svc.installation for update`);
