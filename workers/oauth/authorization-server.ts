import type { AuthorizationServer } from 'oauth4webapi';
import type { ProviderDeclaration } from './declaration.ts';
import type { Issuers } from './issuers.ts';
import type { Provider } from './provider.ts';

/**
 * Where the provider's endpoints are: those that its owner has given, else those of its kind or of its discovery document. A new object
 * each time, so that the library never finds it in its own memory of keys, whose clock no test can set; `Issuers` remembers them.
 */
export async function authorizationServer(issuers: Issuers, provider: Provider, declaration: ProviderDeclaration): Promise<AuthorizationServer> {
  const given = givenEndpoints(provider);
  const home = declaration.home(provider);
  if (home.is === 'fixed') return { ...home.server, ...given };
  return isWhole(given) ? { issuer: home.issuer, ...given } : { ...(await issuers.discover(home.issuer)), ...given };
}

function givenEndpoints({ authUrl, tokenUrl, userInfoUrl, jwksUrl }: Provider): Partial<AuthorizationServer> {
  return {
    ...(authUrl === undefined ? {} : { authorization_endpoint: authUrl }),
    ...(tokenUrl === undefined ? {} : { token_endpoint: tokenUrl }),
    ...(userInfoUrl === undefined ? {} : { userinfo_endpoint: userInfoUrl }),
    ...(jwksUrl === undefined ? {} : { jwks_uri: jwksUrl }),
  };
}

/** Whether nothing is left that a discovery document would have to say. */
function isWhole(given: Partial<AuthorizationServer>): boolean {
  return given.authorization_endpoint !== undefined && given.token_endpoint !== undefined && given.jwks_uri !== undefined;
}
