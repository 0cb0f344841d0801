import { fail } from '../../proto/errors/svc-error.ts';
import { principalKey } from '../principal/principal.ts';
import { once, twinWaitMs } from '../idempotency/once.ts';
import { sqlState, sqlStates } from '../postgres/errors.ts';
import { StaleCatalogue } from '../postgres/stale-catalogue.ts';
import type { Transaction } from '../postgres/transaction.ts';
import { batchValues, type WriteMember, type WriteShape } from '../postgres/write-coalescer.ts';
import { explainConstraint } from './constraint.ts';
import type { RecordAnswer, RecordDeps } from './deps.ts';
import type { RecordShape } from './shape/shape.ts';
import { checkConstraints } from './statements/check.sql.ts';
import type { WriteRequest } from './write-request.ts';

/** Enough for what other writes hold while they commit, and to hear what Postgres refuses; longer waits are had elsewhere. */
const briefWaitMs = 20;
const statementTimeoutMs = 10_000;
const deadlockRetries = 3;

/** What a write run by itself is about, for its idempotency key. */
export interface AloneRequest {
  readonly request: WriteRequest;
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** What the write depends on beside path and body; with another one the key is refused. */
  readonly rest?: string;
}

/**
 * Runs a write in a transaction of its own, once for its idempotency key; what Postgres refuses is explained to the caller.
 * One that meets a lock which stays, or may have to wait for a twin, waits apart: those who need not wait keep their connections.
 */
export async function alone(
  deps: RecordDeps,
  shape: RecordShape,
  input: AloneRequest,
  work: (tx: Transaction) => Promise<RecordAnswer>,
): Promise<RecordAnswer> {
  try {
    return await inOneTransaction(deps, input, (tx) => checkedAtOnce(tx, () => work(tx)));
  } catch (error) {
    return explainConstraint(shape, error);
  }
}

/** Runs `work` in a transaction of its own, once for the request's idempotency key. */
export async function inOneTransaction(
  deps: RecordDeps,
  input: AloneRequest,
  work: (tx: Transaction) => Promise<RecordAnswer>,
): Promise<RecordAnswer> {
  const options = { label: 'records.alone', statementTimeoutMs, retries: deadlockRetries };
  const run = (tx: Transaction): Promise<RecordAnswer> => whileWanted(input, () => runOnce(deps, tx, input, work));
  const patiently = (): Promise<RecordAnswer> => deps.database.patientTransaction({ ...options, lockTimeoutMs: twinWaitMs }, run);
  if (input.request.idempotencyKey !== '') return patiently();
  return orWhenLocked(deps.database.transaction({ ...options, lockTimeoutMs: briefWaitMs }, run), patiently);
}

async function orWhenLocked(brief: Promise<RecordAnswer>, patiently: () => Promise<RecordAnswer>): Promise<RecordAnswer> {
  try {
    return await brief;
  } catch (error) {
    if (sqlState(error) !== sqlStates.lockNotAvailable) throw error;
    return patiently();
  }
}

/** Its turn on a connection may come when the caller has long gone. */
function whileWanted(input: AloneRequest, work: () => Promise<RecordAnswer>): Promise<RecordAnswer> {
  return input.request.isWanted ? work() : fail('timed_out');
}

function runOnce(deps: RecordDeps, tx: Transaction, input: AloneRequest, work: (tx: Transaction) => Promise<RecordAnswer>): Promise<RecordAnswer> {
  const { idempotencyKey: key, principal, body } = input.request;
  if (key === '') return work(tx);
  return once(tx, { principal: principalKey(principal), method: input.method, path: input.path, key, digest: deps.digest.of(body, input.rest) }, () =>
    work(tx),
  );
}

/** Deferred constraints are checked before the answer is made, so that the one at fault is named here and not by the commit. */
export async function checkedAtOnce<Result>(tx: Transaction, work: () => Promise<Result>): Promise<Result> {
  const answer = await work();
  await tx.execute(checkConstraints, []);
  return answer;
}

/** Runs a write's statement for `members` inside `tx`; answers the record versions, in the members' order. */
export async function writeIn(tx: Transaction, shape: WriteShape, members: readonly WriteMember[]): Promise<readonly string[]> {
  const rows = await tx.execute(shape.statement, batchValues(shape, members));
  if (rows[0]?.[0] !== shape.version) throw new StaleCatalogue();
  const seqs = new Map(rows.map(([, number, seq]) => [Number(number), seq ?? '']));
  return members.map((_, index) => {
    const seq = seqs.get(index + 1);
    if (seq === undefined) throw new TypeError(`${shape.statement.label} left a locked row out`);
    return seq;
  });
}
