import pg from 'pg';
import { SvcError } from '../../proto/errors/svc-error.ts';
import { StaleCatalogue } from './stale-catalogue.ts';

/** The SQLSTATEs that decide something here (PostgreSQL, appendix A). */
export const sqlStates = {
  uniqueViolation: '23505',
  foreignKeyViolation: '23503',
  lockNotAvailable: '55P03',
  queryCanceled: '57014',
  deadlockDetected: '40P01',
  serializationFailure: '40001',
  tooManyColumns: '54011',
  programLimitExceeded: '54000',
} as const;

/**
 * A prepared statement ran against a schema that has moved on: its names, types or result changed under it. And in a pipeline,
 * what came right behind one that could not be prepared for that reason finds it missing (26000), or prepared by another (42P05).
 */
const staleStates: ReadonlySet<string> = new Set(['42P01', '42703', '42704', '42804', '42883', '0A000', '3F000', '26000', '42P05']);

/** Class 08 (connection), 57P (shutdown, crash, starting up) and 53 (resources): the server is away for a moment. */
const awayState = /^(08|57P|53)/;

/** The five characters Postgres names an error by; undefined where it was none of Postgres'. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** The constraint or index that an error names. */
export function constraintOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined;
}

/** Whether a statement gave up waiting: for a lock, or at its own time limit. */
export function isLockTimeout(error: unknown): boolean {
  const state = sqlState(error);
  return state === sqlStates.lockNotAvailable || state === sqlStates.queryCanceled;
}

/** Waits for one call of pg; where the connection or the server is gone, rather than the statement wrong, it fails with `unavailable`. */
export async function reachable<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    const state = sqlState(error);
    throw state === undefined || awayState.test(state) ? new SvcError('unavailable', {}, error) : error;
  }
}

/** The same for a statement compiled for one version of the schema: where it meets another, it fails with StaleCatalogue. */
export async function fixedStatement<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await reachable(call);
  } catch (error) {
    throw staleStates.has(sqlState(error) ?? '') ? new StaleCatalogue(error) : error;
  }
}
