import * as oauth from 'oauth4webapi';
import type { Clock } from '../../proto/values/time.ts';
import { isObject } from './answer.ts';
import { clientAuthentication } from './client-authentication.ts';
import { refusal } from './failures.ts';
import { overHttp } from './issuers.ts';
import { OAuthError } from './oauth-error.ts';
import type { Provider } from './provider.ts';
import type { ProviderHttp } from './provider-http.ts';

/** What the browser has brought back, and what it was sent away with. */
export interface Callback {
  readonly code: string;
  /** Of the challenge that went out (RFC 7636). */
  readonly codeVerifier: string;
  /** The very one that went out. */
  readonly redirectUri: string;
  readonly nonce: string;
  /** The callback's `iss` (RFC 9207); compared where the provider says that it sends one. */
  readonly iss?: string;
  /** The callback's `user`: Apple tells the name there, the first time only. */
  readonly user?: string;
}

/** Asks the token endpoint for what the code stands for (RFC 6749 section 4.1.3). The answer's tokens are still to be checked. */
export async function requestTokens(
  { http, server, client, clock }: { http: ProviderHttp; server: oauth.AuthorizationServer; client: oauth.Client; clock: Clock },
  provider: Provider,
  callback: Callback,
): Promise<Response> {
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    clientAuthentication(server, provider, clock),
    callbackParameters(http.who, server, client, callback),
    callback.redirectUri,
    callback.codeVerifier,
    overHttp(http),
  );
  const code = await lateRefusal(response);
  if (code !== undefined) throw refusal(http.who, code);
  return response;
}

function callbackParameters(who: string, server: oauth.AuthorizationServer, client: oauth.Client, { code, iss }: Callback): URLSearchParams {
  if (code === '') throw new OAuthError('bad_code', 'There is no code.');
  const isNamed = server.authorization_response_iss_parameter_supported === true && iss !== undefined;
  const parameters = new URLSearchParams({ code, ...(isNamed ? { iss } : {}) });
  try {
    // The store has made and compared the state.
    return oauth.validateAuthResponse(server, client, parameters, oauth.skipStateCheck);
  } catch {
    throw new OAuthError('bad_code', `The code does not come from ${who}.`);
  }
}

/** GitHub refuses with status 200. */
async function lateRefusal(response: Response): Promise<string | undefined> {
  if (response.status !== 200) return undefined;
  const body: unknown = await response.clone().json();
  return isObject(body) && typeof body['error'] === 'string' && body['access_token'] === undefined ? body['error'] : undefined;
}
