import { sql, type Sql } from './sql.ts';

/** Begins a transaction with its limits, in one message. `set local`: a pooler between us and Postgres never sees a session setting. */
export function beginWith(limits: { readonly lockTimeoutMs: number; readonly statementTimeoutMs: number }): Sql {
  const lock = sql.integer(limits.lockTimeoutMs);
  const statement = sql.integer(limits.statementTimeoutMs);
  return sql`begin; set local lock_timeout = ${lock}; set local statement_timeout = ${statement}`;
}
