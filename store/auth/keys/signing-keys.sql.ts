import { sql, statement, type Sql } from '../../postgres/sql.ts';

/** A key signs for this long; then a new one is made. */
const lifetime: Sql = sql`interval '90 days'`;
/** Longer than any token can be good. */
const retirement: Sql = sql`interval '366 days'`;

/** The keys that tokens may be signed with, the newest first: (id, public key as JWK, private key sealed, hexadecimal, signs no more). */
export const selectSigningKeys = statement(
  'signing-keys.read',
  sql`
    select id, public_key::text, encode(private_key, 'hex'), (retired_at is not null or created_at < now() - ${lifetime})::text
    from svc.signing_keys
    order by created_at desc, id
  `,
);

/** Leaves a key where none signs; nothing where somebody was faster, who holds the installation's row until he commits. */
export const insertKey = statement(
  'signing-keys.insert',
  sql`
    insert into svc.signing_keys (id, public_key, private_key, created_at)
    select ${sql.param(1)}, ${sql.param(2)}::json, decode(${sql.param(3)}, 'hex'), clock_timestamp()
    where not exists (select from svc.signing_keys where retired_at is null and created_at >= now() - ${lifetime})
  `,
);

export const retireKeys = statement('signing-keys.retire', sql`update svc.signing_keys set retired_at = now() where retired_at is null`);

export const forgetRetiredKeys = statement(
  'signing-keys.forget',
  sql`delete from svc.signing_keys where created_at < now() - ${lifetime} - ${retirement}`,
);

export const lockInstallation = statement('installation.lock', sql`select id from svc.installation for update`);
