import { SvcError } from '../../proto/errors/svc-error.ts';
import { OAuthService, type OAuthReply, type OAuthRequest } from '../../proto/gen/svc/v1/oauth.ts';
import type { RpcServer } from '../../proto/rpc/server.ts';
import { authorizationUrl, type AuthorizationInput } from '../oauth/authorization-url.ts';
import { exchangeCode, type OAuthDeps } from '../oauth/exchange-code.ts';
import { OAuthError } from '../oauth/oauth-error.ts';
import type { Provider } from '../oauth/provider.ts';
import type { Callback } from '../oauth/tokens.ts';

/** `svc.v1.OAuth`: where to send people to sign in elsewhere, and who they are when they come back. */
export function addOAuth(server: RpcServer, deps: OAuthDeps): void {
  server.add(OAuthService, {
    authorizationUrl: (request) => told(async () => authorizationUrl(deps, providerOf(request), inputOf<AuthorizationInput>(request))),
    exchangeCode: (request, { signal }) =>
      told(async () => {
        const { provider, subject, email, isEmailVerified, name } = await exchangeCode(deps, providerOf(request), inputOf<Callback>(request), signal);
        return { provider, subject, email, isEmailVerified, name };
      }),
  });
}

function providerOf({ provider }: OAuthRequest): Provider {
  return JSON.parse(provider.toString()) as Provider;
}

function inputOf<Input>({ input }: OAuthRequest): Input {
  return JSON.parse(input.toString()) as Input;
}

async function told(work: () => Promise<unknown>): Promise<OAuthReply> {
  try {
    return { result: Buffer.from(JSON.stringify(await work())) };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    if (error.reason === 'provider_unavailable') throw new SvcError('unavailable', {}, error);
    throw new SvcError('oauth_refused', { values: { reason: error.message } }, error);
  }
}
