import { fail } from '../../../proto/errors/svc-error.ts';
import type { HttpAnswer, HttpCall } from '../../../proto/schema/http-call.ts';
import { PasskeySignUp } from '../../../proto/schema/passkeys.ts';
import { readBody } from '../../../proto/schema/read-body.ts';
import { withSchema } from '../../collections/with-schema.ts';
import { createIn } from '../../records/create.ts';
import { accountsOf, requireMethod } from '../auth-collection.ts';
import type { AuthDeps } from '../deps.ts';
import { serviceWrite } from '../service-write.ts';
import { signIn } from '../sign-in.ts';
import { inTransaction } from '../transaction.ts';
import { keepChallenge, requireSameAccounts, takeChallenge } from './challenge.ts';
import { registrationOptions, storePasskey, verifiedPasskey } from './registration.ts';

/** Begins a sign-up by passkey: options for the browser. */
export async function passkeySignUpOptions(deps: AuthDeps, call: HttpCall): Promise<HttpAnswer> {
  const { email, username } = readBody(PasskeySignUp, call.body);
  return withSchema(deps.records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, call.params[0] ?? '');
    requireMethod(shape, 'passkeys');
    const accountId = deps.records.ids.record();
    const publicKey = await registrationOptions(deps, { accountId, userName: username ?? email, present: [] });
    const data = { challenge: publicKey.challenge, accountId, email, ...(username === undefined ? {} : { username }) };
    const sessionToken = await keepChallenge(deps, shape, { kind: 'passkey-sign-up', record: null, data });
    return { status: 200, body: JSON.stringify({ sessionToken, options: { publicKey } }) };
  });
}

/** Makes the account with its passkey, as a guest may, and signs it in: answers `{token, record}`. */
export async function passkeySignUp(deps: AuthDeps, call: HttpCall): Promise<HttpAnswer> {
  const { records } = deps;
  const answered = await takeChallenge(deps, 'passkey-sign-up', call);
  return withSchema(records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, call.params[0] ?? '');
    requireMethod(shape, 'passkeys');
    requireSameAccounts(answered, shape);
    const passkey = await verifiedPasskey(deps, answered);
    const { accountId, email, username } = answered.proof.data;
    const id = String(accountId);
    return inTransaction(deps, shape, 'passkey-sign-up', async (tx) => {
      const write = {
        ...serviceWrite(records, shape, { id, email, username }),
        principal: { kind: 'guest' },
        signUp: { isVerified: false },
      } as const;
      await createIn(records, tx, schema, write);
      await storePasskey(tx, shape, id, passkey);
      return (await signIn(deps, tx, shape, call, { accountId: id, method: 'passkey' })) ?? fail('passkey_refused');
    });
  });
}
