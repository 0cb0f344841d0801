import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { fail } from '../../../proto/errors/svc-error.ts';
import type { HttpAnswer, HttpCall } from '../../../proto/schema/http-call.ts';
import { PasskeySignIn } from '../../../proto/schema/passkeys.ts';
import { readBody } from '../../../proto/schema/read-body.ts';
import { withSchema } from '../../collections/with-schema.ts';
import { readIdentity } from '../../records/account/identity.ts';
import type { RecordShape } from '../../records/shape/shape.ts';
import { accountsOf, requireMethod } from '../auth-collection.ts';
import type { AuthDeps } from '../deps.ts';
import { signIn } from '../sign-in.ts';
import { inTransaction } from '../transaction.ts';
import { keepChallenge, requireSameAccounts, takeChallenge, type AnsweredChallenge } from './challenge.ts';
import { passkeyLibrary } from './library.ts';
import { countPasskey, selectPasskey, selectPasskeys } from './passkeys.sql.ts';
import { relyingParty } from './relying-party.ts';

/** Begins a sign-in by passkey: options for the browser, for one account or for whichever passkey its user takes. */
export async function passkeySignInOptions(deps: AuthDeps, call: HttpCall): Promise<HttpAnswer> {
  const { identity } = call.body.length === 0 ? {} : readBody(PasskeySignIn, call.body);
  return withSchema(deps.records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, call.params[0] ?? '');
    requireMethod(shape, 'passkeys');
    const allowed = identity === undefined ? [] : await credentialsOf(deps, shape, identity);
    const { id: rpID } = await relyingParty(deps.settings);
    const { generateAuthenticationOptions } = await passkeyLibrary();
    const publicKey = await generateAuthenticationOptions({
      rpID,
      timeout: 300_000,
      userVerification: 'preferred',
      allowCredentials: allowed.map((id) => ({ id })),
    });
    const data = { challenge: publicKey.challenge, allowed: identity === undefined ? null : allowed };
    const sessionToken = await keepChallenge(deps, shape, { kind: 'passkey-sign-in', record: null, data });
    return { status: 200, body: JSON.stringify({ sessionToken, options: { publicKey } }) };
  });
}

/** Signs in whose passkey has signed the challenge: answers `{token, record}`. */
export async function signInWithPasskey(deps: AuthDeps, call: HttpCall): Promise<HttpAnswer> {
  const answered = await takeChallenge(deps, 'passkey-sign-in', call);
  return withSchema(deps.records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, call.params[0] ?? '');
    requireMethod(shape, 'passkeys');
    requireSameAccounts(answered, shape);
    const { accountId, counter, newCounter } = await verified(deps, shape, answered);
    return inTransaction(deps, shape, 'sessions.begin', async (tx) => {
      const counted = await tx.execute(countPasskey, [shape.collection.id, answered.answer.id, counter, String(newCounter)]);
      if (counted.length === 0) return fail('passkey_refused');
      return (await signIn(deps, tx, shape, call, { accountId, method: 'passkey' })) ?? fail('passkey_refused');
    });
  });
}

/** The credential ids of an account; made-up ones where there is none, always the same, so that the answer says not whether there is one. */
async function credentialsOf(deps: AuthDeps, shape: RecordShape, identity: string): Promise<readonly string[]> {
  const account = await readIdentity(deps.records, shape, identity);
  const rows = await deps.records.database.query(selectPasskeys, [shape.collection.id, account?.id ?? '']);
  return rows.length > 0 ? rows.map(([id]) => id ?? '') : [deps.codes.of('passkey decoy', `${shape.collection.id}/${identity.toLowerCase()}`)];
}

/** Web Authentication, 7.2; a counter that has not risen is that of a copy. */
async function verified(deps: AuthDeps, shape: RecordShape, { answer, challenge, proof }: AnsweredChallenge) {
  const { allowed } = proof.data;
  const [row] = await deps.records.database.query(selectPasskey, [shape.collection.id, answer.id]);
  if (row === undefined || (Array.isArray(allowed) && !allowed.includes(answer.id))) return fail('passkey_refused');
  const [accountId, publicKey, counter] = row;
  const party = await relyingParty(deps.settings);
  const { verifyAuthenticationResponse } = await passkeyLibrary();
  const { verified: isGood, authenticationInfo } = await verifyAuthenticationResponse({
    response: answer as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: party.origins,
    expectedRPID: party.id,
    credential: { id: answer.id, publicKey: new Uint8Array(Buffer.from(publicKey ?? '', 'hex')), counter: Number(counter) },
    requireUserVerification: false,
  }).catch((error: unknown) => fail('passkey_refused', {}, error));
  if (!isGood) return fail('passkey_refused');
  return { accountId: accountId ?? '', counter: counter ?? '', newCounter: authenticationInfo.newCounter };
}
