import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { fail } from '../../../proto/errors/svc-error.ts';
import type { Clock } from '../../../proto/values/time.ts';
import { signingAlgorithm, type SigningKeys } from './signing-keys.ts';

/** What a token says (RFC 7519; CONTRACT section 5). */
export interface TokenClaims {
  /** The session's id. */
  readonly sessionId: string;
  /** The token's own id; a session has one good token at a time. */
  readonly tokenId: string;
  /** The auth collection's id, the token's audience: names change, ids do not. */
  readonly collectionId: string;
  /** The record's id. */
  readonly accountId: string;
}

export interface TokenIssue extends TokenClaims {
  /** The auth collection's name, for readers of the token. */
  readonly collection: string;
  readonly expiresAtMs: number;
}

interface Verified {
  readonly claims: TokenClaims;
  readonly expiresAtMs: number;
}

/** Tokens whose signature was found good are not looked at again; beyond this many the oldest are forgotten. */
const verifiedMax = 10_000;

/** Issues tokens and reads them. A good signature says who a token was issued to; whether its session lives on, the database says. */
export class Tokens {
  readonly #keys: SigningKeys;
  readonly #clock: Clock;
  readonly #issuer: string;
  readonly #verified = new Map<string, Verified>();

  /** `issuer`: the installation's id. */
  constructor(keys: SigningKeys, clock: Clock, issuer: string) {
    this.#keys = keys;
    this.#clock = clock;
    this.#issuer = issuer;
  }

  async issue(token: TokenIssue): Promise<string> {
    const { id, privateKey } = await this.#keys.current();
    return new SignJWT({ id: token.accountId, svc: token.collection, sid: token.sessionId, type: 'auth' })
      .setProtectedHeader({ alg: signingAlgorithm, typ: 'JWT', kid: id })
      .setSubject(token.accountId)
      .setAudience(token.collectionId)
      .setIssuer(this.#issuer)
      .setJti(token.tokenId)
      .setIssuedAt(seconds(this.#clock.now()))
      .setExpirationTime(seconds(token.expiresAtMs))
      .sign(privateKey);
  }

  /** What the token says; fails with `invalid_credential` where we did not issue it, or it has expired. */
  async read(token: string): Promise<TokenClaims> {
    const { claims, expiresAtMs } = this.#verified.get(token) ?? (await this.#verify(token));
    return this.#clock.now() < expiresAtMs ? claims : fail('invalid_credential');
  }

  async #verify(token: string): Promise<Verified> {
    const payload = await this.#payloadOf(token);
    const verified = { claims: claimsOf(payload), expiresAtMs: Number(payload.exp) * 1000 };
    if (this.#verified.size >= verifiedMax) this.#forgetOldest();
    this.#verified.set(token, verified);
    return verified;
  }

  async #payloadOf(token: string): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, ({ kid }) => this.#keyOf(kid), {
        algorithms: [signingAlgorithm],
        issuer: this.#issuer,
        requiredClaims: ['sub', 'aud', 'jti', 'sid', 'exp', 'type'],
        currentDate: new Date(this.#clock.now()),
      });
      return payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) return fail('invalid_credential', {}, error);
      throw error;
    }
  }

  async #keyOf(kid: unknown) {
    const key = typeof kid === 'string' ? await this.#keys.byId(kid) : undefined;
    return key?.publicKey ?? fail('invalid_credential');
  }

  #forgetOldest(): void {
    const [oldest] = this.#verified.keys();
    if (oldest !== undefined) this.#verified.delete(oldest);
  }
}

function claimsOf({ sub, aud, jti, sid, type }: JWTPayload): TokenClaims {
  if (type !== 'auth' || typeof sub !== 'string' || typeof aud !== 'string' || typeof jti !== 'string' || typeof sid !== 'string')
    return fail('invalid_credential');
  return { accountId: sub, collectionId: aud, tokenId: jti, sessionId: sid };
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}
