import { headerOf, type HttpCall, type HttpAnswer } from '../../proto/schema/http-call.ts';
import { wireTime } from '../../proto/values/time.ts';
import type { Transaction } from '../postgres/transaction.ts';
import { holdAccount, type HeldAccount } from '../records/account/hold-account.ts';
import type { RecordShape } from '../records/shape/shape.ts';
import { insertSession } from '../sessions/sessions.sql.ts';
import { optionsOf } from './auth-collection.ts';
import type { AuthDeps } from './deps.ts';

export type SignInMethod = 'password' | 'otp' | 'passkey' | 'device' | 'oauth2';

export interface SignIn {
  readonly accountId: string;
  readonly method: SignInMethod;
  /** The hash of the password that was proven: it must still be the account's. */
  readonly passwordHash?: string;
}

/**
 * The end of every way to sign in: begins a session within `tx` and answers `{token, record}`; undefined where the account is
 * gone or has another password than the one that was proven. The account's row is held
 * until that commits: whoever deletes the account or changes its password meanwhile finds the session, and ends it.
 */
export async function signIn(deps: AuthDeps, tx: Transaction, shape: RecordShape, call: HttpCall, input: SignIn): Promise<HttpAnswer | undefined> {
  const account = await holdAccount(tx, shape, { id: input.accountId, passwordHash: input.passwordHash });
  if (account === undefined) return undefined;
  const { ids, clock } = deps.records;
  const session = { id: ids.request(), tokenId: ids.request(), expiresAtMs: clock.now() + optionsOf(shape).tokenDuration * 1000 };
  await tx.execute(insertSession, [
    session.id,
    shape.collection.id,
    account.id,
    session.tokenId,
    wireTime(session.expiresAtMs),
    input.method,
    call.clientAddress,
    headerOf(call, 'user-agent').slice(0, userAgentMax),
  ]);
  return signedIn(deps, shape, account, session);
}

const userAgentMax = 300;

/** What a session's token says of it. */
export interface TokenSession {
  readonly id: string;
  readonly tokenId: string;
  readonly expiresAtMs: number;
}

/** `{token, record}`. */
export async function signedIn(deps: AuthDeps, shape: RecordShape, account: HeldAccount, session: TokenSession): Promise<HttpAnswer> {
  const token = await deps.tokens.issue({
    sessionId: session.id,
    tokenId: session.tokenId,
    collectionId: shape.collection.id,
    collection: shape.collection.name,
    accountId: account.id,
    expiresAtMs: session.expiresAtMs,
  });
  return { status: 200, body: `{"token":${JSON.stringify(token)},"record":${account.document}}` };
}
