import { sql, statement } from './sql.ts';

/** `set local` through set_config: it takes values, and a pooler between us and Postgres never sees a session setting. */
export const setLimits = statement(
  'transaction.limits',
  sql`select set_config('lock_timeout', ${sql.param(1)}, true), set_config('statement_timeout', ${sql.param(2)}, true)`,
);
