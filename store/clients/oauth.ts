import { OAuthService } from '../../proto/gen/svc/v1/oauth.ts';
import type { RpcClient } from '../../proto/rpc/client.ts';
import type { OAuthProfile } from '../../proto/schema/oauth-profile.ts';

/** Where a browser is to go, and what must come back from there. */
export interface OAuthStart {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeChallenge: string;
}

export interface OAuthCallback {
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  readonly nonce: string;
  readonly iss?: string | undefined;
  readonly user?: string | undefined;
}

/** Providers that people sign in with, asked by the workers; fails with `oauth_refused`, or `unavailable`. */
export class OAuthClient {
  readonly #rpc: RpcClient;

  constructor(rpc: RpcClient) {
    this.#rpc = rpc;
  }

  async authorizationUrl(provider: object, input: OAuthStart, requestId: string): Promise<string> {
    const { result } = await this.#rpc.unary(OAuthService.authorizationUrl, messageOf(provider, input), { requestId, timeoutMs });
    return JSON.parse(result.toString()) as string;
  }

  async exchangeCode(provider: object, input: OAuthCallback, requestId: string): Promise<OAuthProfile> {
    const { result } = await this.#rpc.unary(OAuthService.exchangeCode, messageOf(provider, input), { requestId, timeoutMs });
    return JSON.parse(result.toString()) as OAuthProfile;
  }
}

/** A provider may take twenty seconds for all of an exchange. */
const timeoutMs = 25_000;

function messageOf(provider: object, input: object) {
  return { provider: Buffer.from(JSON.stringify(provider)), input: Buffer.from(JSON.stringify(input)) };
}
