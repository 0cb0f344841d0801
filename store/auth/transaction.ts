import type { Transaction } from '../postgres/transaction.ts';
import { explainConstraint } from '../records/constraint.ts';
import type { RecordShape } from '../records/shape/shape.ts';
import type { AuthDeps } from './deps.ts';

/** Runs `work` in one transaction; what Postgres refuses is told as it would be of a record. */
export async function inTransaction<Result>(
  { records }: Pick<AuthDeps, 'records'>,
  shape: RecordShape,
  label: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const options = { label, lockTimeoutMs: 5_000, statementTimeoutMs: 5_000, retries: 3 };
  try {
    return await records.database.transaction(options, work);
  } catch (error) {
    return explainConstraint(shape, error);
  }
}
