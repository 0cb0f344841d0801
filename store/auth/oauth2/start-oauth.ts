import { createHash } from 'node:crypto';
import { headerOf, type HttpAnswer, type HttpCall } from '../../../proto/schema/http-call.ts';
import { withSchema } from '../../collections/with-schema.ts';
import { readParameters, refuseParameter } from '../../records/parameters.ts';
import type { RecordShape } from '../../records/shape/shape.ts';
import { accountsOf, optionsOf, requireMethod } from '../auth-collection.ts';
import type { AuthDeps } from '../deps.ts';
import { inTransaction } from '../transaction.ts';
import { browserSecret, cookieLine, secretDigest } from './browser-cookie.ts';
import { callbackUrl, forWorkers, providerOf } from './providers.ts';

const lifetimeS = 600;

/**
 * Begins a social login: sends the browser to the provider. State, nonce and verifier (RFC 7636) are the service's; the
 * client's own challenge is kept for the code that it will be given at the end, so that nobody else can use that.
 */
export async function startOAuth(deps: AuthDeps, call: HttpCall): Promise<HttpAnswer> {
  return withSchema(deps.records.catalogue, async (schema) => {
    const [collection = '', name = ''] = call.params;
    const shape = accountsOf(deps, schema, collection);
    requireMethod(shape, 'oauth2');
    const provider = await providerOf(deps, shape, name);
    const { redirectUrl, codeChallenge } = readStart(shape, call.query);
    const secret = browserSecret(call, deps.records.ids);
    const data = { provider: name, redirectUrl, codeChallenge, browser: secretDigest(secret) };
    const collectionId = shape.collection.id;
    const state = await inTransaction(deps, shape, 'oauth2.start', (tx) =>
      deps.proofs.issue(tx, { kind: 'oauth-state', collectionId, record: null, email: null, data, lifetimeS }),
    );
    const redirectUri = await callbackUrl(deps, shape, name);
    const { codeVerifier, nonce } = secretsOf(deps, state);
    const start = { redirectUri, state, nonce, codeChallenge: challengeOf(codeVerifier) };
    const authUrl = await deps.oauth.authorizationUrl(forWorkers(provider), start, call.requestId);
    const cookie = cookieLine(secret, `/api/svc/${shape.collection.name}/oauth2/`, redirectUri.startsWith('https:'));
    if (headerOf(call, 'accept').includes('application/json')) {
      const body = { name, title: provider.title, authUrl, state, codeChallenge: start.codeChallenge, codeChallengeMethod: 'S256' };
      return { status: 200, body: JSON.stringify(body), headers: { 'Set-Cookie': cookie } };
    }
    return { status: 302, body: '', headers: { Location: authUrl, 'Set-Cookie': cookie } };
  });
}

/** Nobody but the service can tell them from the state. */
export function secretsOf({ codes }: AuthDeps, state: string): { readonly codeVerifier: string; readonly nonce: string } {
  return { codeVerifier: codes.of('oauth verifier', state), nonce: codes.of('oauth nonce', state) };
}

/** RFC 7636, 4.2. */
export function challengeOf(codeVerifier: string): string {
  return createHash('sha256').update(codeVerifier).digest('base64url');
}

function readStart(shape: RecordShape, query: string): { readonly redirectUrl: string; readonly codeChallenge: string } {
  const parameters = readParameters(query);
  const redirectUrl = parameters.get('redirectUrl') ?? '';
  const codeChallenge = parameters.get('codeChallenge') ?? '';
  if (!optionsOf(shape).oauth2.redirectUrls.includes(redirectUrl))
    return refuseParameter('redirectUrl', 'it must be one of auth.oauth2.redirectUrls of the collection');
  if (!/^[\w-]{43}$/.test(codeChallenge)) return refuseParameter('codeChallenge', 'it must be the base64url text of a SHA-256 (RFC 7636, S256)');
  if ((parameters.get('codeChallengeMethod') ?? 'S256') !== 'S256') return refuseParameter('codeChallengeMethod', 'it must be S256');
  return { redirectUrl, codeChallenge };
}
