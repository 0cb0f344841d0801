import { fail } from '../../../proto/errors/svc-error.ts';
import type { HttpAnswer, HttpCall } from '../../../proto/schema/http-call.ts';
import { OAuthSignIn } from '../../../proto/schema/oauth-sign-in.ts';
import { readBody } from '../../../proto/schema/read-body.ts';
import { withSchema } from '../../collections/with-schema.ts';
import { accountsOf, optionsOf, requireMethod } from '../auth-collection.ts';
import type { AuthDeps } from '../deps.ts';
import { guessLimits } from '../mail-limits.ts';
import { signIn } from '../sign-in.ts';
import { inTransaction } from '../transaction.ts';
import { providersOf } from './providers.ts';
import { challengeOf } from './start-oauth.ts';

/** Signs in by the code that the callback gave the client, and the verifier that only the client has: answers `{token, record}`. */
export async function signInWithOAuth(deps: AuthDeps, call: HttpCall): Promise<HttpAnswer> {
  const { provider, code, codeVerifier, redirectUrl } = readBody(OAuthSignIn, call.body);
  const { records, proofs } = deps;
  await records.attempts.require(guessLimits(call.clientAddress));
  return withSchema(records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, call.params[0] ?? '');
    requireMethod(shape, 'oauth2');
    const answer = await inTransaction(deps, shape, 'sessions.begin', async (tx) => {
      const proof = await proofs.redeem(tx, 'oauth-code', code);
      // Used up by whoever presents it: a wrong verifier spoils the code.
      if (proof?.collectionId !== shape.collection.id) return undefined;
      const { data, record } = proof;
      const isSame = data['provider'] === provider && data['redirectUrl'] === redirectUrl && data['codeChallenge'] === challengeOf(codeVerifier);
      return isSame ? signIn(deps, tx, shape, call, { accountId: record, method: 'oauth2' }) : undefined;
    });
    return answer ?? fail('oauth_refused', { values: { reason: 'The code was used already, has expired, or is not of this client; begin again.' } });
  });
}

/** How accounts of a collection sign in: for the buttons of a client. */
export async function showAuthMethods(deps: AuthDeps, call: HttpCall): Promise<HttpAnswer> {
  return withSchema(deps.records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, call.params[0] ?? '');
    const { password, otp, passkeys, oauth2, mfa } = optionsOf(shape);
    const { publicUrl } = (await deps.settings.current()).values.app;
    const base = `${publicUrl.replace(/\/+$/, '')}/api/svc/${shape.collection.name}/oauth2`;
    const providers = (await providersOf(deps, shape)).map(({ name, title, provider: { kind } }) => ({
      name,
      title,
      kind,
      // State and challenge are made when the browser gets there.
      authUrl: `${base}/${name}`,
      state: null,
      codeChallenge: null,
      codeChallengeMethod: 'S256',
    }));
    return { status: 200, body: JSON.stringify({ password, otp, passkeys, oauth2: { enabled: oauth2.enabled, providers }, mfa }) };
  });
}
