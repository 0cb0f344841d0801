import type { HttpCall, HttpAnswer } from '../../../proto/schema/http-call.ts';
import { withSchema } from '../../collections/with-schema.ts';
import type { Principal } from '../../principal/principal.ts';
import { selectSessions } from '../../sessions/sessions.sql.ts';
import type { AuthDeps } from '../deps.ts';
import { whoseSessions } from './whose-sessions.ts';

/** The sessions of an account that are not over, the newest first. */
export async function listSessions(deps: AuthDeps, call: HttpCall, principal: Principal): Promise<HttpAnswer> {
  return withSchema(deps.records.catalogue, async (schema) => {
    const { collectionId, id } = whoseSessions(deps, schema, call, principal);
    const own = principal.kind === 'user' || principal.kind === 'root' ? principal.sessionId : '';
    const rows = await deps.records.database.query(selectSessions, [collectionId, id]);
    const sessions = rows.map(([session, method, address, userAgent, createdAt, refreshedAt, expiresAt]) => ({
      id: session,
      method,
      address,
      user_agent: userAgent,
      created_at: createdAt,
      refreshed_at: refreshedAt,
      expires_at: expiresAt,
      current: session === own,
    }));
    return { status: 200, body: JSON.stringify(sessions) };
  });
}
