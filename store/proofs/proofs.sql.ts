import { sql, statement } from '../postgres/sql.ts';

/** Keeps a proof: (kind, digest, collection, record, email, data, attempts, lifetime in seconds); it takes the place of one with this digest. */
export const insertProof = statement(
  'proofs.insert',
  sql`
    insert into svc.proofs (kind, digest, collection, record, email, data, attempts_left, expires_at)
    values (${sql.param(1)}, ${sql.param(2)}, ${sql.param(3)}, ${sql.param(4)}, ${sql.param(5)}, ${sql.param(6)}::json,
      ${sql.param(7)}::integer, now() + make_interval(secs => ${sql.param(8)}::double precision))
    on conflict (kind, digest) do update
      set collection = excluded.collection, record = excluded.record, email = excluded.email, data = excluded.data,
        attempts_left = excluded.attempts_left, created_at = now(), expires_at = excluded.expires_at
  `,
);

/** Uses a proof up: (collection, record, email, data); no row where it is none, was used, or has expired. */
export const redeemProof = statement(
  'proofs.redeem',
  sql`
    delete from svc.proofs
    where kind = ${sql.param(1)}
      and digest = ${sql.param(2)}
      and expires_at > now()
    returning collection, record, email, data::text
  `,
);

/** Looks at a proof that is good, and leaves it: (collection, record, email, data). */
export const selectProof = statement(
  'proofs.read',
  sql`
    select collection, record, email, data::text
    from svc.proofs
    where kind = ${sql.param(1)}
      and digest = ${sql.param(2)}
      and expires_at > now()
      and attempts_left > 0
  `,
);

/** Takes one attempt at a proof: (collection, record, email, data); no row where there is none left. */
export const attemptProof = statement(
  'proofs.attempt',
  sql`
    update svc.proofs
    set attempts_left = attempts_left - 1
    where kind = ${sql.param(1)}
      and digest = ${sql.param(2)}
      and expires_at > now()
      and attempts_left > 0
    returning collection, record, email, data::text
  `,
);

/** Takes back all proofs of a kind that an account has. */
export const dropProofs = statement(
  'proofs.drop',
  sql`delete from svc.proofs where kind = ${sql.param(1)} and collection = ${sql.param(2)} and record = ${sql.param(3)}`,
);

/** Forgets some of those that have expired. */
export const forgetProofs = statement(
  'proofs.forget',
  sql`
    delete from svc.proofs
    where ctid = any(array(
      select ctid
      from svc.proofs
      where expires_at < now()
      limit 1000
      for update skip locked
    ))
    returning '1'
  `,
);
