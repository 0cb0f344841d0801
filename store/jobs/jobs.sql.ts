import { sql, statement } from '../postgres/sql.ts';

/** Puts a job into its queue: (id, queue, title, payload, hexadecimal). */
export const insertJob = statement(
  'jobs.insert',
  sql`
    insert into svc.jobs (id, queue, title, payload)
    values (${sql.param(1)}, ${sql.param(2)}, ${sql.param(3)}, decode(${sql.param(4)}, 'hex'))
  `,
);

/** Leases jobs that are due, or whose lease has run out: (id, queue, payload, attempt). */
export const claimJobs = statement(
  'jobs.claim',
  sql`
    update svc.jobs job
    set state = 'running', attempts = attempts + 1, lease = ${sql.param(3)}, lease_until = now() + ${sql.param(4)}::interval
    where id = any(array(
      select id
      from svc.jobs
      where queue = any(${sql.param(1)}::text[])
        and (state = 'waiting' and run_at <= now() or state = 'running' and lease_until < now())
      order by run_at
      limit ${sql.param(2)}::integer
      for update skip locked
    ))
    returning id, queue, encode(payload, 'hex'), attempts::text
  `,
);

/** Puts back what was leased and never taken. */
export const returnJobs = statement(
  'jobs.return',
  sql`
    update svc.jobs
    set state = 'waiting', attempts = attempts - 1, lease = null, lease_until = null
    where lease = ${sql.param(1)}
      and state = 'running'
  `,
);

/** The row where the lease $2 is still the job's: (attempts). */
export const holdLeased = statement(
  'jobs.hold-leased',
  sql`
    select attempts::text
    from svc.jobs
    where id = ${sql.param(1)}
      and lease = ${sql.param(2)}
      and state = 'running'
    for update
  `,
);

/** Ends a job that is held: (id, state, error). Nobody needs its payload any more once it is done. */
export const finishJob = statement(
  'jobs.finish',
  sql`
    update svc.jobs
    set state = ${sql.param(2)}, last_error = ${sql.param(3)}, finished_at = now(), lease = null, lease_until = null,
      payload = case when ${sql.param(2)} = 'done' then '' else payload end
    where id = ${sql.param(1)}
  `,
);

/** Puts a job that is held back into its queue: (id, error, seconds from now). */
export const postponeJob = statement(
  'jobs.postpone',
  sql`
    update svc.jobs
    set state = 'waiting', last_error = ${sql.param(2)}, run_at = now() + make_interval(secs => ${sql.param(3)}::double precision),
      lease = null, lease_until = null
    where id = ${sql.param(1)}
  `,
);

/** Has a job that waits or has failed tried again now; no row where there is no such job. */
export const retryJob = statement(
  'jobs.retry',
  sql`
    update svc.jobs
    set state = 'waiting', run_at = now(), attempts = 0, finished_at = null
    where id = ${sql.param(1)}
      and state in ('waiting', 'failed')
    returning id
  `,
);

export const deleteJob = statement('jobs.delete', sql`delete from svc.jobs where id = ${sql.param(1)} and state <> 'running' returning id`);

/** Jobs, the newest first, of one queue and state or of all ($1, $2 empty): (JSON). */
export const selectJobs = statement(
  'jobs.list',
  sql`
    select json_build_object(
      'id', id, 'queue', queue, 'title', title, 'state', state, 'attempts', attempts, 'last_error', last_error,
      'created_at', ${wire('created_at')}, 'run_at', ${wire('run_at')}, 'finished_at', ${wire('finished_at')})::text
    from svc.jobs
    where (${sql.param(1)} = '' or queue = ${sql.param(1)})
      and (${sql.param(2)} = '' or state = ${sql.param(2)})
    order by created_at desc, id
    limit ${sql.param(3)}::integer offset ${sql.param(4)}::integer
  `,
);

/** Forgets some of the jobs that ended long ago. */
export const forgetJobs = statement(
  'jobs.forget',
  sql`
    delete from svc.jobs
    where ctid = any(array(
      select ctid
      from svc.jobs
      where finished_at < now() - interval '7 days'
      limit 1000
      for update skip locked
    ))
    returning '1'
  `,
);

function wire(column: string) {
  return sql`to_char(${sql.id(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
