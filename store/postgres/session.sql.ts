import { sql, statement } from './sql.ts';

/**
 * How a connection behaves that strangers share. A statement that waits for a table somebody has locked gives up soon, so
 * that those behind it need not wait as well; and plans are made once per statement, not once per batch. Not used behind a
 * pooler without prepared statements, where a session is nobody's own. Transactions set their own limits (transaction.sql.ts).
 */
export const sharedSession = statement(
  'connection.session',
  sql`select set_config('lock_timeout', '100ms', false), set_config('plan_cache_mode', 'force_generic_plan', false)`,
);
