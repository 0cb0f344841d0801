import { fail } from '../../proto/errors/svc-error.ts';
import type { TextRow } from '../postgres/connection.ts';
import { sqlState, sqlStates } from '../postgres/errors.ts';
import type { Statement } from '../postgres/sql.ts';
import type { RecordDeps } from './deps.ts';

/** A read that takes longer is given up with `query_too_slow`. */
const slowListMs = 10_000;

/** Runs a statement that may take its time, where it keeps nobody else waiting. */
export async function slowly(
  { database }: Pick<RecordDeps, 'database'>,
  statement: Statement,
  values: readonly (string | null)[],
): Promise<readonly TextRow[]> {
  try {
    return await database.slowQuery(statement, values, slowListMs);
  } catch (error) {
    if (sqlState(error) === sqlStates.queryCanceled) fail('query_too_slow', {}, error);
    if (sqlState(error) === sqlStates.lockNotAvailable) fail('timed_out', {}, error);
    throw error;
  }
}

/** Runs a statement beside others on the shared connections; where somebody has locked its table, apart from them. */
export async function quicklyIfFree(
  deps: Pick<RecordDeps, 'database'>,
  statement: Statement,
  values: readonly (string | null)[],
): Promise<readonly TextRow[]> {
  try {
    return await deps.database.sharedQuery(statement, values);
  } catch (error) {
    if (sqlState(error) === sqlStates.lockNotAvailable) return slowly(deps, statement, values);
    throw error;
  }
}
