import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { systemClock, type Clock } from '../../../proto/values/time.ts';
import type { Egress, EgressAnswer, EgressRequest } from '../../../workers/oauth/egress.ts';
import type { OAuthDeps } from '../../../workers/oauth/exchange-code.ts';
import { Issuers } from '../../../workers/oauth/issuers.ts';
import { OAuthError } from '../../../workers/oauth/oauth-error.ts';

export const redirectUri = 'http://127.0.0.1:9/api/svc/users/oauth2/callback';
export const codeVerifier = 'a-verifier-of-at-least-forty-three-characters-1234';
export const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
export const nonce = 'the-nonce-of-this-login';
export const state = 'the-state-of-this-login';

/** The machine's time, moved by hand. */
export class MovedClock implements Clock {
  #aheadMs = 0;

  now(): number {
    return systemClock.now() + this.#aheadMs;
  }

  advance(ms: number): void {
    this.#aheadMs += ms;
  }
}

/** Deps whose clock the test moves and whose requests it can read. */
export function oauthDeps({ requestMsMax }: { readonly requestMsMax?: number } = {}): OAuthDeps & {
  readonly clock: MovedClock;
  readonly egress: OpenEgress;
} {
  const clock = new MovedClock();
  const egress = new OpenEgress(requestMsMax);
  return { egress, clock, issuers: new Issuers({ egress, clock }) };
}

/** Calls any address within the bounds that it is given; `requestMsMax` shortens the longest wait of a test. */
export class OpenEgress implements Egress {
  readonly requests: EgressRequest[] = [];
  readonly #requestMsMax: number;

  constructor(requestMsMax = Infinity) {
    this.#requestMsMax = requestMsMax;
  }

  async request(input: EgressRequest): Promise<EgressAnswer> {
    this.requests.push(input);
    const { url, method, headers, body, timeoutMs, bytesMax, signal } = input;
    const late = AbortSignal.timeout(Math.min(timeoutMs, this.#requestMsMax));
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: signal === undefined ? late : AbortSignal.any([late, signal]),
      ...(body === undefined ? {} : { body }),
    });
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += (chunk as Uint8Array).length;
      if (bytes > bytesMax) throw new RangeError(`the answer is larger than ${bytesMax} bytes`);
      chunks.push(chunk as Uint8Array);
    }
    return { status: response.status, headers: Object.fromEntries(response.headers), body: Buffer.concat(chunks) };
  }
}

/** A key and the tokens it signs. */
export class TokenSigner {
  readonly jwk: JWK;
  readonly #key: CryptoKey;

  private constructor(jwk: JWK, key: CryptoKey) {
    this.jwk = jwk;
    this.#key = key;
  }

  static async make(kid: string): Promise<TokenSigner> {
    const { privateKey, publicKey } = await generateKeyPair('RS256');
    return new TokenSigner({ ...(await exportJWK(publicKey)), kid, use: 'sig', alg: 'RS256' }, privateKey);
  }

  /** A token that is five minutes old at the most; what `claims` leaves undefined is not in it. */
  sign(claims: JWTPayload): Promise<string> {
    const nowS = Math.floor(Date.now() / 1000);
    const whole = Object.entries({ iat: nowS, exp: nowS + 300, ...claims }).filter(([, value]) => value !== undefined);
    return new SignJWT(Object.fromEntries(whole)).setProtectedHeader({ alg: 'RS256', kid: this.jwk.kid ?? '' }).sign(this.#key);
  }
}

/** The failure that `work` ends in; none of `secrets` may stand anywhere in it. */
export async function oauthFailure(
  work: Promise<unknown>,
  secrets: readonly string[] = [],
): Promise<{ reason: string; message: string; cause: string }> {
  const error = await work.then(
    () => assert.fail('it did not fail'),
    (cause: unknown) => cause,
  );
  assert.ok(error instanceof OAuthError, inspect(error));
  const whole = inspect(error, { depth: Infinity, showHidden: true });
  for (const secret of secrets) assert.ok(!whole.includes(secret), `${secret} stands in ${whole}`);
  return { reason: error.reason, message: error.message, cause: error.cause instanceof Error ? error.cause.message : '' };
}
