import { fail } from '../../../proto/errors/svc-error.ts';
import { noContent, type HttpAnswer, type HttpCall } from '../../../proto/schema/http-call.ts';
import { withSchema } from '../../collections/with-schema.ts';
import type { Principal } from '../../principal/principal.ts';
import { deleteSession, deleteSessionOf, deleteSessionsOf } from '../../sessions/sessions.sql.ts';
import type { AuthDeps } from '../deps.ts';
import { ownSession } from './own-session.ts';
import { whoseSessions } from './whose-sessions.ts';

/** Ends the session of the caller: from the answer on no node accepts its token. */
export async function signOut({ records }: AuthDeps, call: HttpCall, principal: Principal): Promise<HttpAnswer> {
  const { sessionId } = ownSession(principal, call.params[0] ?? '');
  await records.database.query(deleteSession, [sessionId]);
  return noContent;
}

/** Ends one session of an account. */
export async function endSession(deps: AuthDeps, call: HttpCall, principal: Principal): Promise<HttpAnswer> {
  return withSchema(deps.records.catalogue, async (schema) => {
    const { collectionId, id } = whoseSessions(deps, schema, call, principal);
    const ended = await deps.records.database.query(deleteSessionOf, [collectionId, id, call.params[1] ?? '']);
    return ended.length === 0 ? fail('session_not_found') : noContent;
  });
}

/** Ends all sessions of an account. */
export async function endSessions(deps: AuthDeps, call: HttpCall, principal: Principal): Promise<HttpAnswer> {
  return withSchema(deps.records.catalogue, async (schema) => {
    const { collectionId, id } = whoseSessions(deps, schema, call, principal);
    await deps.records.database.query(deleteSessionsOf, [collectionId, id]);
    return noContent;
  });
}
