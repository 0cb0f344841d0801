import { fail } from '../../proto/errors/svc-error.ts';
import type { Database } from '../postgres/database.ts';
import { sqlState, sqlStates } from '../postgres/errors.ts';
import type { Transaction } from '../postgres/transaction.ts';
import { claimKey, forgetKeys, keepAnswer, selectAnswer } from './idempotency.sql.ts';

/** One request as its Idempotency-Key names it: unique by principal, method and path (CONTRACT section 3). */
export interface KeyedRequest {
  readonly principal: string;
  readonly method: string;
  readonly path: string;
  readonly key: string;
  /** Of the body; equal bodies have equal ones. */
  readonly digest: string;
}

export interface KeptAnswer {
  readonly status: number;
  readonly body: string;
  readonly etag: string;
}

/** How long a twin of a request under way waits for its answer, in the transaction's lock timeout. */
export const twinWaitMs = 5_000;

/** Runs `work` once for the request's key, within its transaction; a later twin gets the answer that was kept. */
export async function once(tx: Transaction, request: KeyedRequest, work: () => Promise<KeptAnswer>): Promise<KeptAnswer> {
  const identity = [request.principal, request.method, request.path, request.key];
  if (!(await claim(tx, [...identity, request.digest]))) return replay(tx, identity, request.digest);
  const answer = await work();
  await tx.execute(keepAnswer, [...identity, String(answer.status), answer.body, answer.etag]);
  return answer;
}

/** Forgets some of the keys whose day is over; answers how many. */
export async function forgetOldKeys(database: Database): Promise<number> {
  return (await database.query(forgetKeys, [])).length;
}

async function claim(tx: Transaction, values: readonly string[]): Promise<boolean> {
  try {
    return (await tx.execute(claimKey, values)).length > 0;
  } catch (error) {
    if (sqlState(error) === sqlStates.lockNotAvailable) fail('write_conflict', {}, error);
    throw error;
  }
}

async function replay(tx: Transaction, identity: readonly string[], hash: string): Promise<KeptAnswer> {
  const [kept] = await tx.execute(selectAnswer, identity);
  if (kept === undefined || kept[1] === null) return fail('write_conflict');
  const [keptHash, status, body, etag] = kept;
  if (keptHash !== hash) return fail('idempotency_mismatch');
  return { status: Number(status), body: body ?? '', etag: etag ?? '' };
}
