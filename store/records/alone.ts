import { once, twinWaitMs } from '../idempotency/once.ts';
import { StaleCatalogue } from '../postgres/stale-catalogue.ts';
import type { Transaction } from '../postgres/transaction.ts';
import { batchValues, type WriteMember, type WriteShape } from '../postgres/write-coalescer.ts';
import { explainConstraint } from './constraint.ts';
import type { RecordAnswer, RecordDeps } from './deps.ts';
import type { RecordShape } from './shape/shape.ts';
import { checkConstraints } from './statements/check.sql.ts';
import type { WriteRequest } from './write-request.ts';

const statementTimeoutMs = 10_000;
const deadlockRetries = 3;

/** What a write run by itself is about, for its idempotency key. */
export interface AloneRequest {
  readonly request: WriteRequest;
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
}

/** Runs a write in a transaction of its own, once for its idempotency key; what Postgres refuses is explained to the caller. */
export async function alone(
  deps: RecordDeps,
  shape: RecordShape,
  input: AloneRequest,
  work: (tx: Transaction) => Promise<RecordAnswer>,
): Promise<RecordAnswer> {
  const options = { label: 'records.alone', lockTimeoutMs: twinWaitMs, statementTimeoutMs, retries: deadlockRetries };
  try {
    return await deps.database.transaction(options, (tx) => runOnce(tx, input, work));
  } catch (error) {
    return explainConstraint(shape, error);
  }
}

function runOnce(tx: Transaction, input: AloneRequest, work: (tx: Transaction) => Promise<RecordAnswer>): Promise<RecordAnswer> {
  const { idempotencyKey: key, principal, body } = input.request;
  const run = () => checkedAtOnce(tx, work);
  if (key === '') return run();
  return once(tx, { principal: principal.kind, method: input.method, path: input.path, key, body }, run);
}

/** Deferred constraints are checked before the answer is made, so that the one at fault is named here and not by the commit. */
async function checkedAtOnce(tx: Transaction, work: (tx: Transaction) => Promise<RecordAnswer>): Promise<RecordAnswer> {
  const answer = await work(tx);
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
