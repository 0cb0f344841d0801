import { wireTime, type Clock } from '../../proto/values/time.ts';
import type { Ids } from '../../proto/values/ids.ts';
import type { Transaction } from '../postgres/transaction.ts';
import { insertSession } from './sessions.sql.ts';

/** How long a session lasts, and its token with it. */
const lifetimeMs = 24 * 60 * 60 * 1000;

export interface Session {
  readonly id: string;
  readonly tokenId: string;
  readonly expiresAtMs: number;
}

/** Begins a session; undefined where the account is gone or has another password by now than the one that was proven. */
export async function beginSession(
  deps: { readonly ids: Ids; readonly clock: Clock },
  tx: Transaction,
  account: { readonly collectionId: string; readonly id: string; readonly passwordHash: string },
): Promise<Session | undefined> {
  const expiresAtMs = deps.clock.now() + lifetimeMs;
  const session = { id: deps.ids.request(), tokenId: deps.ids.request(), expiresAtMs };
  const values = [session.id, account.collectionId, account.id, session.tokenId, wireTime(expiresAtMs), account.passwordHash];
  return (await tx.execute(insertSession, values)).length === 0 ? undefined : session;
}
