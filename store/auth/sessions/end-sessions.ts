import { noContent, type HttpCall, type HttpAnswer } from '../../../proto/schema/http-call.ts';
import { fail } from '../../../proto/errors/svc-error.ts';
import { withSchema } from '../../collections/with-schema.ts';
import type { Principal } from '../../principal/principal.ts';
import { deleteSession, deleteSessionOf, deleteSessionsOf } from '../../sessions/sessions.sql.ts';
import { authTransaction, type AuthDeps } from '../deps.ts';
import { ownSession } from './own-session.ts';
import { whoseSessions } from './whose-sessions.ts';

/** Ends the session of the caller: from the answer on no node accepts its token. */
export async function signOut({ records }: AuthDeps, request: HttpCall, principal: Principal): Promise<HttpAnswer> {
  const { sessionId } = ownSession(principal, request.params[0] ?? '');
  await records.database.transaction(authTransaction('sessions.end'), (tx) => tx.execute(deleteSession, [sessionId]));
  return noContent;
}

/** Ends one session of an account. */
export async function endSession(deps: AuthDeps, request: HttpCall, principal: Principal): Promise<HttpAnswer> {
  return withSchema(deps.records.catalogue, async (schema) => {
    const { collectionId, id } = whoseSessions(deps, schema, request, principal);
    const options = authTransaction('sessions.end');
    const ended = await deps.records.database.transaction(options, (tx) => tx.execute(deleteSessionOf, [collectionId, id, request.params[1] ?? '']));
    return ended.length === 0 ? fail('session_not_found') : noContent;
  });
}

/** Ends all sessions of an account. */
export async function endSessions(deps: AuthDeps, request: HttpCall, principal: Principal): Promise<HttpAnswer> {
  return withSchema(deps.records.catalogue, async (schema) => {
    const { collectionId, id } = whoseSessions(deps, schema, request, principal);
    await deps.records.database.transaction(authTransaction('sessions.end'), (tx) => tx.execute(deleteSessionsOf, [collectionId, id]));
    return noContent;
  });
}
