import { fail } from '../../../proto/errors/svc-error.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { rootUsers } from '../../principal/root-users.ts';
import type { Run } from '../rules/judge.ts';
import type { RecordShape } from '../shape/shape.ts';
import { holdOtherAccount, selectAnyAccount } from '../statements/account.sql.ts';

/** Whether the collection has an account. */
export async function isAnyAccount(run: Run, shape: RecordShape): Promise<boolean> {
  const statement = shape.compiled.get('any account', () => selectAnyAccount(shape));
  return (await run(statement, [])).length > 0;
}

/** The last root user stays: without one nobody could be let in again. Another one is held, so that it stays, too. */
export async function requireOtherRoot(tx: Transaction, shape: RecordShape, id: string): Promise<void> {
  if (shape.collection.id !== rootUsers.id) return;
  const statement = shape.compiled.get('other account', () => holdOtherAccount(shape));
  if ((await tx.execute(statement, [id])).length === 0) fail('last_root_user');
}
