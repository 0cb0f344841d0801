import type { Schema } from '../collections/catalogue.ts';
import { forgetCredentials } from '../credentials/account-secrets.ts';
import type { Transaction } from '../postgres/transaction.ts';
import type { RecordShape } from '../records/shape/shape.ts';
import { updateIn } from '../records/update.ts';
import { deleteSessionsOf } from '../sessions/sessions.sql.ts';
import { lockEmail } from './account-email.ts';
import type { AuthDeps } from './deps.ts';
import { serviceWrite } from './service-write.ts';

/**
 * The address of an account has been proven. The first time that happens, whatever else opens the account goes, unless the
 * one who proves it asked for it from a session of the account: somebody else may have registered the address before its owner.
 */
export async function proveAddress(
  deps: AuthDeps,
  tx: Transaction,
  place: { readonly schema: Schema; readonly shape: RecordShape },
  proven: { readonly id: string; readonly isAskedByOwner: boolean },
): Promise<void> {
  const { schema, shape } = place;
  const { isVerified } = await lockEmail(tx, shape, proven.id);
  if (isVerified) return;
  await updateIn(deps.records, tx, schema, { ...serviceWrite(deps.records, shape, { verified: true }), id: proven.id });
  if (proven.isAskedByOwner) return;
  const account = { collectionId: shape.collection.id, id: proven.id };
  await forgetCredentials(tx, account);
  await tx.execute(deleteSessionsOf, [account.collectionId, account.id]);
}
