import type { HttpCall, HttpAnswer } from '../../../proto/schema/http-call.ts';
import { fail } from '../../../proto/errors/svc-error.ts';
import { wireTime } from '../../../proto/values/time.ts';
import { withSchema } from '../../collections/with-schema.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { holdAccount } from '../../records/account/hold-account.ts';
import type { RecordShape } from '../../records/shape/shape.ts';
import { deleteSession, holdSession, renewSession } from '../../sessions/sessions.sql.ts';
import { accountsOf, optionsOf } from '../auth-collection.ts';
import type { AuthDeps } from '../deps.ts';
import { inTransaction } from '../transaction.ts';
import type { TokenClaims } from '../keys/tokens.ts';
import { signedIn, type TokenSession } from '../sign-in.ts';

/** How long the token before the last one is good: requests that were under way with it, and refreshes at the same moment, succeed. */
const graceMs = 10_000;

/**
 * Gives a session a new token: answers `{token, record}`. A token that was replaced longer ago than the grace is in two hands
 * (RFC 9700, 4.14.2): its session ends.
 */
export async function refresh(deps: AuthDeps, call: HttpCall, credential: string): Promise<HttpAnswer> {
  if (credential === '') return fail('unauthorized');
  const claims = await deps.tokens.read(credential);
  const { records } = deps;
  return withSchema(records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, call.params[0] ?? '');
    if (shape.collection.id !== claims.collectionId) return fail('forbidden');
    const answer = await inTransaction(deps, shape, 'sessions.refresh', (tx) => renewed(deps, tx, shape, claims));
    return answer ?? fail('invalid_credential');
  });
}

/** Undefined: the token is good for nothing, and what that takes has been done. */
async function renewed(deps: AuthDeps, tx: Transaction, shape: RecordShape, { sessionId, tokenId }: TokenClaims): Promise<HttpAnswer | undefined> {
  const [row] = await tx.execute(holdSession, [sessionId, shape.collection.id]);
  if (row === undefined) return undefined;
  const [record, current, previous, expiresAt] = row;
  const account = await holdAccount(tx, shape, { id: record ?? '' });
  if (account === undefined) return undefined;
  if (tokenId === current) return signedIn(deps, shape, account, await renew(deps, tx, shape, { sessionId, tokenId }));
  if (tokenId === previous)
    return signedIn(deps, shape, account, { id: sessionId, tokenId: current ?? '', expiresAtMs: Date.parse(expiresAt ?? '') });
  await tx.execute(deleteSession, [sessionId]);
  return undefined;
}

async function renew(
  { records: { ids, clock } }: AuthDeps,
  tx: Transaction,
  shape: RecordShape,
  { sessionId, tokenId }: Pick<TokenClaims, 'sessionId' | 'tokenId'>,
): Promise<TokenSession> {
  const now = clock.now();
  const session = { id: sessionId, tokenId: ids.request(), expiresAtMs: now + optionsOf(shape).tokenDuration * 1000 };
  await tx.execute(renewSession, [sessionId, session.tokenId, wireTime(session.expiresAtMs), tokenId, wireTime(now + graceMs)]);
  return session;
}
