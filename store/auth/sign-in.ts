import { MfaHalf } from '../../proto/schema/mfa.ts';
import { parseJson } from '../../proto/values/json.ts';
import { headerOf, type HttpCall, type HttpAnswer } from '../../proto/schema/http-call.ts';
import { wireTime } from '../../proto/values/time.ts';
import type { Transaction } from '../postgres/transaction.ts';
import { holdAccount, type HeldAccount } from '../records/account/hold-account.ts';
import type { RecordShape } from '../records/shape/shape.ts';
import { insertSession } from '../sessions/sessions.sql.ts';
import { SvcError } from '../../proto/errors/svc-error.ts';
import { optionsOf } from './auth-collection.ts';
import type { AuthDeps } from './deps.ts';

export type SignInMethod = 'password' | 'otp' | 'passkey' | 'device' | 'oauth2' | 'impersonation';

export interface SignIn {
  readonly accountId: string;
  readonly method: SignInMethod;
  /** The hash of the password that was proven: it must still be the account's. */
  readonly passwordHash?: string;
}

const mfaLifetimeS = 300;
/** A device is let in by a session that has passed the second factor; a passkey is two in one, what one has and what one is or knows. */
const wholeMethods: ReadonlySet<SignInMethod> = new Set(['device', 'passkey']);

/**
 * The end of every way to sign in: answers `{token, record}`; where the collection wants a second, different method and this is
 * the first, `mfa_required` with the id by which the second one finds it. Undefined as `beginSession`.
 */
export async function signIn(deps: AuthDeps, tx: Transaction, shape: RecordShape, call: HttpCall, input: SignIn): Promise<HttpAnswer | undefined> {
  const { accountId, method, passwordHash } = input;
  const isWhole = !optionsOf(shape).mfa.enabled || wholeMethods.has(method) || (await endsHalf(deps, tx, shape, call, input));
  if (isWhole) return beginSession(deps, tx, shape, call, input);
  if ((await holdAccount(tx, shape, { id: accountId, passwordHash })) === undefined) return undefined;
  const data = { method };
  return mfaRequired(
    await deps.proofs.issue(tx, { kind: 'mfa', collectionId: shape.collection.id, record: accountId, email: null, data, lifetimeS: mfaLifetimeS }),
  );
}

/** Whether the call names the first half of a sign-in of the same account by another method; that is used up. */
async function endsHalf(
  deps: AuthDeps,
  tx: Transaction,
  { collection }: RecordShape,
  call: HttpCall,
  { accountId, method }: SignIn,
): Promise<boolean> {
  const { mfaId } = MfaHalf.parse(parseJson(call.body).value);
  const half = mfaId === undefined ? undefined : await deps.proofs.redeem(tx, 'mfa', mfaId);
  return half !== undefined && half.collectionId === collection.id && half.record === accountId && half.data['method'] !== method;
}

/** An answer, not an error: what was proven stays proven. */
function mfaRequired(mfaId: string): HttpAnswer {
  const error = new SvcError('mfa_required');
  const data = { mfaId };
  return { status: error.status, body: JSON.stringify({ code: error.status, message: error.message, data }) };
}

/**
 * Begins a session within `tx` and answers `{token, record}`; undefined where the account is gone or has another password than
 * the one that was proven. The account's row is held until that commits: whoever deletes the account or changes its password
 * meanwhile finds the session, and ends it.
 */
export async function beginSession(
  deps: AuthDeps,
  tx: Transaction,
  shape: RecordShape,
  call: HttpCall,
  input: SignIn,
): Promise<HttpAnswer | undefined> {
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
