import { authorizationServer } from './authorization-server.ts';
import type { Issuers } from './issuers.ts';
import { OAuthError } from './oauth-error.ts';
import type { Provider } from './provider.ts';
import { isSafeAddress } from './provider-http.ts';
import { declarations } from './providers/declarations.ts';

/** Where the browser is sent to sign in (RFC 6749 section 4.1.1, RFC 7636 section 4.3, OpenID Connect Core section 3.1.2.1). */
export async function authorizationUrl(deps: { readonly issuers: Issuers }, provider: Provider, input: AuthorizationInput): Promise<string> {
  const declaration = declarations[provider.kind];
  const server = await authorizationServer(deps.issuers, provider, declaration);
  const url = endpoint(provider, server.authorization_endpoint);
  const parameters: Readonly<Record<string, string>> = {
    response_type: 'code',
    client_id: provider.clientId,
    redirect_uri: input.redirectUri,
    scope: (provider.scopes ?? declaration.scopes).join(' '),
    state: input.state,
    code_challenge: input.codeChallenge,
    code_challenge_method: 'S256',
    ...(declaration.is === 'openid' ? { nonce: input.nonce } : {}),
    ...declaration.authorizationParameters,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

export interface AuthorizationInput {
  readonly redirectUri: string;
  readonly state: string;
  /** Comes back inside the signed token; goes unused where the provider signs none. */
  readonly nonce: string;
  /** The base64url text of the verifier's SHA-256. */
  readonly codeChallenge: string;
}

/** A browser will follow whatever stands here, so it is held to what tokens are held to. */
function endpoint({ title }: Provider, address: string | undefined): URL {
  if (address !== undefined && isSafeAddress(address)) return new URL(address);
  throw new OAuthError('misconfigured', `${title} lacks an authorization endpoint by https.`);
}
