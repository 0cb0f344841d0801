import { StaleCatalogue } from '../../postgres/stale-catalogue.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { holdsPassword } from '../../credentials/account-secrets.ts';
import type { RecordShape } from '../shape/shape.ts';
import { selectHeldAccount } from '../statements/account.sql.ts';

export interface HeldAccount {
  readonly id: string;
  /** The record as its owner sees it. */
  readonly document: string;
}

/**
 * Holds an account until `tx` ends: nobody deletes it or, where `passwordHash` is given, changes its password before that.
 * Undefined where there is none, or its password is another one by now.
 */
export async function holdAccount(
  tx: Transaction,
  shape: RecordShape,
  wanted: { readonly id: string; readonly passwordHash?: string | undefined },
): Promise<HeldAccount | undefined> {
  const statement = shape.compiled.get('hold account', () => selectHeldAccount(shape));
  const [row] = await tx.execute(statement, [wanted.id]);
  if (row === undefined) return undefined;
  const [version, id, document] = row;
  if (version !== shape.schema.version) throw new StaleCatalogue();
  if (id === null || id === undefined) return undefined;
  const key = { collectionId: shape.collection.id, id };
  const isProven = wanted.passwordHash === undefined || (await holdsPassword(tx, key, wanted.passwordHash));
  return isProven ? { id, document: document ?? '' } : undefined;
}
