import * as oauth from 'oauth4webapi';
import { answerOf, isObject, type Answer, type Claims } from './answer.ts';
import type { OpenIdDeclaration } from './declaration.ts';
import { overHttp, type Issuers } from './issuers.ts';
import { OAuthError } from './oauth-error.ts';
import type { Provider } from './provider.ts';
import type { ProviderHttp } from './provider-http.ts';

/**
 * The claims of the token response's id_token, once all of OpenID Connect Core section 3.1.3.7 holds: the issuer is the provider, the
 * audience are we, it has not expired (30 s are forgiven), it carries our nonce, and a key of the issuer has signed it.
 */
export async function checkIdToken(
  { http, server, client, issuers }: IdTokenDeps,
  { declaration, provider, response, nonce }: IdTokenInput,
): Promise<{ readonly answer: Answer; readonly accessToken: string }> {
  const expected = await withIssuer(http.who, server, { declaration, provider, response });
  const tokens = await oauth.processAuthorizationCodeResponse(expected, client, response, { expectedNonce: nonce, requireIdToken: true });
  const idToken = tokens.id_token ?? '';
  await issuers.withKeys(expected.jwks_uri ?? '', async (cache) => {
    await oauth.validateApplicationLevelSignature(expected, response, { ...overHttp(http), [oauth.jwksCache]: cache });
    requireKeyOfIssuer(http.who, cache, { header: part(http.who, idToken, 0).values, issuer: expected.issuer });
  });
  return { answer: part(http.who, idToken, 1), accessToken: tokens.access_token };
}

export interface IdTokenDeps {
  readonly http: ProviderHttp;
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly issuers: Issuers;
}

interface IdTokenInput extends Issued {
  readonly nonce: string;
}

interface Issued {
  readonly declaration: OpenIdDeclaration;
  readonly provider: Provider;
  readonly response: Response;
}

/** The server under the issuer that this token has to name. */
async function withIssuer(
  who: string,
  server: oauth.AuthorizationServer,
  { declaration, provider, response }: Issued,
): Promise<oauth.AuthorizationServer> {
  if (declaration.issuerFor === undefined || response.status !== 200) return server;
  const body: unknown = await response.clone().json();
  const idToken = isObject(body) ? body['id_token'] : undefined;
  if (typeof idToken !== 'string') return server;
  return { ...server, issuer: declaration.issuerFor(part(who, idToken, 1).values, provider) };
}

/**
 * Microsoft publishes the keys of all tenants in one set and says beside each whose it is, `{tenantid}` standing for anybody's; a token
 * has to be signed by a key of its own issuer. Others do not say.
 */
function requireKeyOfIssuer(
  who: string,
  cache: oauth.JWKSCacheInput,
  { header, issuer }: { readonly header: Claims; readonly issuer: string },
): void {
  const keys: readonly Claims[] = isKeySet(cache) ? cache.jwks.keys : [];
  const owner = keys.find(({ kid }) => kid !== undefined && kid === header['kid'])?.['issuer'];
  if (typeof owner !== 'string' || owner === issuer) return;
  const [start = '', end] = owner.split('{tenantid}');
  if (end !== undefined && issuer.startsWith(start) && issuer.endsWith(end)) return;
  throw new OAuthError('bad_token', `${who} sent a token that another issuer's key has signed.`);
}

function isKeySet(cache: oauth.JWKSCacheInput): cache is oauth.ExportedJWKSCache {
  return 'jwks' in cache;
}

/** A part of a compact token (RFC 7515 section 3.1): 0 is the header, 1 the claims. */
function part(who: string, token: string, index: number): Answer {
  const text = token.split('.')[index] ?? '';
  try {
    return answerOf(who, Buffer.from(text, 'base64url'));
  } catch {
    throw new OAuthError('bad_token', `${who} sent a token that cannot be read.`);
  }
}
