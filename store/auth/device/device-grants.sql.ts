import { sql, statement } from '../../postgres/sql.ts';

/** Keeps what a device asks for: (device digest, user digest, collection, client id, scope, address, user agent, interval, lifetime). */
export const insertGrant = statement(
  'device.insert',
  sql`
    insert into svc.device_grants (device_digest, user_digest, collection, client_id, scope, address, user_agent, interval_s, expires_at)
    values (${sql.param(1)}, ${sql.param(2)}, ${sql.param(3)}, ${sql.param(4)}, ${sql.param(5)}, ${sql.param(6)}, ${sql.param(7)},
      ${sql.param(8)}::integer, now() + make_interval(secs => ${sql.param(9)}::double precision))
  `,
);

/** What waits for the code that a user typed: (collection, client id, scope, address, user agent, status, seconds left). */
export const selectGrant = statement(
  'device.read',
  sql`
    select collection, client_id, scope, address, user_agent, status, ceil(extract(epoch from expires_at - now()))::text
    from svc.device_grants
    where user_digest = ${sql.param(1)}
      and expires_at > now()
  `,
);

/** Answers what waits: (user digest, collection, status, record); no row where nothing waits any more. */
export const decideGrant = statement(
  'device.decide',
  sql`
    update svc.device_grants
    set status = ${sql.param(3)}, record = ${sql.param(4)}
    where user_digest = ${sql.param(1)}
      and collection = ${sql.param(2)}
      and status = 'pending'
      and expires_at > now()
    returning status
  `,
);

/** A grant that is polled, held: (collection, status, record, has expired, seconds since the last poll, interval). */
export const holdGrant = statement(
  'device.hold',
  sql`
    select collection, status, record, (expires_at <= now())::text, extract(epoch from clock_timestamp() - polled_at)::text, interval_s::text
    from svc.device_grants
    where device_digest = ${sql.param(1)}
    for update
  `,
);

/** Takes down a poll, and the interval that holds from now on. */
export const pollGrant = statement(
  'device.poll',
  sql`update svc.device_grants set polled_at = clock_timestamp(), interval_s = ${sql.param(2)}::integer where device_digest = ${sql.param(1)}`,
);

export const deleteGrant = statement('device.delete', sql`delete from svc.device_grants where device_digest = ${sql.param(1)}`);

/** Forgets some of those that expired an hour ago; until then their devices are told. */
export const forgetGrants = statement(
  'device.forget',
  sql`
    delete from svc.device_grants
    where ctid = any(array(
      select ctid
      from svc.device_grants
      where expires_at < now() - interval '1 hour'
      limit 1000
      for update skip locked
    ))
    returning '1'
  `,
);
