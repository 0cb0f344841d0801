import { fail } from '../../proto/errors/svc-error.ts';
import type { Principal } from '../principal/principal.ts';
import { deleteSession } from '../sessions/sessions.sql.ts';
import type { AuthDeps } from './deps.ts';

/** Ends the session of the caller: from the answer on no node accepts its token. */
export async function signOut({ records }: AuthDeps, principal: Principal, collection: string): Promise<void> {
  if (principal.kind === 'guest') return fail('unauthorized');
  if (principal.kind === 'admin' || principal.collection.toLowerCase() !== collection.toLowerCase()) return fail('forbidden');
  const options = { label: 'sessions.end', lockTimeoutMs: 5_000, statementTimeoutMs: 5_000 };
  await records.database.transaction(options, (tx) => tx.execute(deleteSession, [principal.sessionId]));
}
