import type { TextRow } from '../postgres/connection.ts';
import type { Statement } from '../postgres/sql.ts';
import { forgetSecrets, holdPassword, replacePassword, selectPasswordHash } from './accounts.sql.ts';

/** Runs a statement: on a shared connection, or in a transaction. */
interface Runner {
  execute(statement: Statement, values: readonly (string | null)[]): Promise<readonly TextRow[]>;
}

/** Whose secrets: the collection's id and the record's. */
export interface AccountKey {
  readonly collectionId: string;
  readonly id: string;
}

/** The hash of an account's password; null where it has none. */
export async function readPasswordHash(runner: Runner, { collectionId, id }: AccountKey): Promise<string | null> {
  const [row] = await runner.execute(selectPasswordHash, [collectionId, id]);
  return row?.[0] ?? null;
}

/** Whether the account still has the password of this hash; it keeps it until the transaction ends. */
export async function holdsPassword(runner: Runner, { collectionId, id }: AccountKey, hash: string): Promise<boolean> {
  return (await runner.execute(holdPassword, [collectionId, id, hash])).length > 0;
}

/** Takes away all by which an account could be opened until now; its sessions aside. */
export async function forgetCredentials(runner: Runner, { collectionId, id }: AccountKey): Promise<void> {
  for (const forget of forgetSecrets) await runner.execute(forget, [collectionId, id]);
}

/** Puts one hash in the place of another (null: of none); false where the account has got yet another meanwhile. */
export async function replacePasswordHash(
  runner: Runner,
  { collectionId, id }: AccountKey,
  change: { readonly hash: string; readonly replaces: string | null },
): Promise<boolean> {
  return (await runner.execute(replacePassword, [collectionId, id, change.hash, change.replaces])).length > 0;
}
