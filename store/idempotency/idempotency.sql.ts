import { sql, statement } from '../postgres/sql.ts';

/** Takes a key for one request; no row when somebody has it. A twin still under way is waited for. */
export const claimKey = statement(
  'idempotency.claim',
  sql`
    insert into svc.idempotency (principal, method, path, key, body_hash)
    values (${sql.param(1)}, ${sql.param(2)}, ${sql.param(3)}, ${sql.param(4)}, decode(${sql.param(5)}, 'hex'))
    on conflict (principal, method, path, key) do update
      set body_hash = excluded.body_hash, status = null, answer = null, etag = null, created_at = now()
      where idempotency.created_at < now() - interval '24 hours'
    returning '1'
  `,
);

/** What was answered to the request that had the key. */
export const selectAnswer = statement(
  'idempotency.answer',
  sql`
    select encode(body_hash, 'hex'), status::text, answer, etag
    from svc.idempotency
    where principal = ${sql.param(1)}
      and method = ${sql.param(2)}
      and path = ${sql.param(3)}
      and key = ${sql.param(4)}
  `,
);

/** Keeps the answer, in the transaction of the write itself. */
export const keepAnswer = statement(
  'idempotency.keep',
  sql`
    update svc.idempotency
    set status = ${sql.param(5)}::int, answer = ${sql.param(6)}, etag = ${sql.param(7)}
    where principal = ${sql.param(1)}
      and method = ${sql.param(2)}
      and path = ${sql.param(3)}
      and key = ${sql.param(4)}
  `,
);

/** Forgets keys whose day is over, some at a time. */
export const forgetKeys = statement(
  'idempotency.forget',
  sql`
    delete from svc.idempotency
    where ctid = any(array(
      select ctid
      from svc.idempotency
      where created_at < now() - interval '24 hours'
      limit 1000
      for update skip locked
    ))
    returning '1'
  `,
);
