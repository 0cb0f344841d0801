import { sql, statement } from '../postgres/sql.ts';

/** Counts $3 more within the window that runs, or begins one of $2 seconds: (count, seconds left). */
export const countAttempts = statement(
  'attempts.count',
  sql`
    insert into svc.attempts as attempt (key, count, until)
    values (${sql.param(1)}, ${sql.param(3)}::integer, now() + make_interval(secs => ${sql.param(2)}::double precision))
    on conflict (key) do update
      set count = case when attempt.until <= now() then excluded.count else least(attempt.count + excluded.count, 1000000000) end,
        until = case when attempt.until <= now() then excluded.until else attempt.until end
    returning count::text, ceil(extract(epoch from until - now()))::text
  `,
);

/** Takes one counted attempt back from each key. */
export const forgiveAttempts = statement(
  'attempts.forgive',
  sql`update svc.attempts set count = greatest(0, count - 1) where key = any(${sql.param(1)}::text[])`,
);

/** Forgets some of the windows that are over. */
export const forgetAttempts = statement(
  'attempts.forget',
  sql`
    delete from svc.attempts
    where ctid = any(array(
      select ctid
      from svc.attempts
      where until < now()
      limit 1000
      for update skip locked
    ))
    returning '1'
  `,
);
