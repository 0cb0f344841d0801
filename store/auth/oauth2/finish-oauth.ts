import { fail, SvcError } from '../../../proto/errors/svc-error.ts';
import type { HttpAnswer, HttpCall } from '../../../proto/schema/http-call.ts';
import { withSchema } from '../../collections/with-schema.ts';
import type { Proof } from '../../proofs/proofs.ts';
import { accountsOf } from '../auth-collection.ts';
import type { AuthDeps } from '../deps.ts';
import { guessLimits } from '../mail-limits.ts';
import { inTransaction } from '../transaction.ts';
import { accountOfProfile } from './account-of-profile.ts';
import { presentedSecret, secretDigest } from './browser-cookie.ts';
import { callbackUrl, forWorkers, providerOf } from './providers.ts';
import { secretsOf } from './start-oauth.ts';

const codeLifetimeS = 60;

/**
 * Where the provider sends the browser back to: it goes on to the client with a code of ours, good once for a minute and only
 * with the client's verifier. A state that is unknown, used, or of another browser ends here.
 */
export async function finishOAuth(deps: AuthDeps, call: HttpCall): Promise<HttpAnswer> {
  const given = call.body.length > 0 ? Buffer.from(call.body).toString('utf8') : call.query;
  const parameters = new URLSearchParams(given);
  const state = parameters.get('state') ?? '';
  const proof = await takeState(deps, call, state);
  const redirectUrl = String(proof.data['redirectUrl']);
  try {
    if (parameters.has('error')) return backTo(redirectUrl, { error: 'access_denied' });
    const code = await codeFor(deps, call, { proof, state, parameters });
    return backTo(redirectUrl, { code });
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return backTo(redirectUrl, { error: error.status >= 500 ? 'temporarily_unavailable' : 'access_denied', error_description: error.message });
  }
}

async function takeState({ records, proofs }: AuthDeps, call: HttpCall, state: string): Promise<Proof> {
  await records.attempts.require(guessLimits(call.clientAddress));
  const options = { label: 'oauth2.state', lockTimeoutMs: 5_000, statementTimeoutMs: 5_000 };
  const proof = await records.database.transaction(options, (tx) => proofs.redeem(tx, 'oauth-state', state));
  const secret = presentedSecret(call);
  const isOwn = secret !== undefined && proof?.data['browser'] === secretDigest(secret) && proof.data['provider'] === call.params[1];
  if (proof !== undefined && isOwn) return proof;
  return fail('oauth_refused', { values: { reason: 'This sign-in was begun elsewhere, or too long ago; begin again.' } });
}

interface Callback {
  readonly proof: Proof;
  readonly state: string;
  readonly parameters: URLSearchParams;
}

async function codeFor(deps: AuthDeps, call: HttpCall, { proof, state, parameters }: Callback): Promise<string> {
  const [collection = '', name = ''] = call.params;
  const { provider, redirectUri } = await withSchema(deps.records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, collection);
    if (shape.collection.id !== proof.collectionId) return fail('oauth_refused', { values: { reason: 'The sign-in was begun for other accounts.' } });
    return { provider: await providerOf(deps, shape, name), redirectUri: await callbackUrl(deps, shape, name) };
  });
  const exchange = {
    code: parameters.get('code') ?? '',
    redirectUri,
    iss: parameters.get('iss') ?? undefined,
    user: parameters.get('user') ?? undefined,
    ...secretsOf(deps, state),
  };
  const profile = await deps.oauth.exchangeCode(forWorkers(provider), exchange, call.requestId);
  return withSchema(deps.records.catalogue, async (schema) => {
    const shape = accountsOf(deps, schema, collection);
    return inTransaction(deps, shape, 'oauth2.finish', async (tx) => {
      const record = await accountOfProfile(deps, tx, { schema, shape }, profile);
      const { redirectUrl, codeChallenge } = proof.data;
      const data = { provider: name, redirectUrl, codeChallenge };
      return deps.proofs.issue(tx, { kind: 'oauth-code', collectionId: shape.collection.id, record, email: null, data, lifetimeS: codeLifetimeS });
    });
  });
}

/** In the fragment, which no server on the way is told. */
function backTo(redirectUrl: string, parameters: Readonly<Record<string, string>>): HttpAnswer {
  return {
    status: 302,
    body: '',
    headers: { Location: `${redirectUrl}#${new URLSearchParams(parameters).toString()}`, 'Referrer-Policy': 'no-referrer' },
  };
}
