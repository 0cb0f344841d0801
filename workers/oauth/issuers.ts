import * as oauth from 'oauth4webapi';
import { systemClock, type Clock } from '../../proto/values/time.ts';
import type { Egress } from './egress.ts';
import { ExpiringMap } from './expiring-map.ts';
import { byStatus, withReason } from './failures.ts';
import { OAuthError } from './oauth-error.ts';
import { ProviderHttp } from './provider-http.ts';

/** What issuers have published of themselves: discovery documents and signing keys, kept for a while. */
export class Issuers {
  readonly #egress: Egress;
  readonly #clock: Clock;
  readonly #servers: ExpiringMap<Promise<oauth.AuthorizationServer>>;
  readonly #keys: ExpiringMap<Keys>;

  constructor({ egress, clock }: { readonly egress: Egress; readonly clock: Clock }) {
    this.#egress = egress;
    this.#clock = clock;
    this.#servers = new ExpiringMap({ clock, entriesMax, lifetimeMs: documentLifetimeMs });
    this.#keys = new ExpiringMap({ clock, entriesMax, lifetimeMs: keysLifetimeMs });
  }

  /** The discovery document of `issuer` (OpenID Connect Discovery 1.0 section 4). All who ask at once share one request; a failure is not kept. */
  async discover(issuer: string): Promise<oauth.AuthorizationServer> {
    const known = this.#servers.get(issuer);
    if (known !== undefined) return known;
    const asked = this.#readDocument(issuer);
    this.#servers.set(issuer, asked);
    try {
      return await asked;
    } catch (error) {
      this.#servers.forget(issuer, asked);
      throw error;
    }
  }

  /**
   * Does `work` with the keys known of `jwksUrl`, and keeps those that it has fetched. The library fetches when there are none, when
   * they are five minutes old, and for a key it does not know when they are one minute old: a rotation is seen within a minute, and
   * forged tokens make nobody fetch more often than that.
   */
  async withKeys<Result>(jwksUrl: string, work: (cache: oauth.JWKSCacheInput) => Promise<Result>): Promise<Result> {
    const known = this.#keys.get(jwksUrl);
    const cache: oauth.JWKSCacheInput = known === undefined ? {} : { jwks: known.jwks, uat: known.fetchedAtS - this.clockSkewS };
    const uat = known === undefined ? undefined : cache.uat;
    try {
      return await work(cache);
    } finally {
      if (isFilled(cache) && cache.uat !== uat) this.#keys.set(jwksUrl, { jwks: cache.jwks, fetchedAtS: cache.uat + this.clockSkewS });
    }
  }

  /** How far our clock is ahead of the machine's, which the library asks: 0 but where a test has set the time. */
  get clockSkewS(): number {
    return Math.round((this.#clock.now() - systemClock.now()) / 1000);
  }

  async #readDocument(issuer: string): Promise<oauth.AuthorizationServer> {
    const http = new ProviderHttp({ egress: this.#egress, who: issuer });
    if (!URL.canParse(issuer)) throw new OAuthError('misconfigured', 'The issuer is no address.');
    const address = new URL(issuer);
    return withReason(issuer, async () => {
      const response = await oauth.discoveryRequest(address, overHttp(http));
      if (response.status !== 200) throw byStatus(issuer, response.status);
      try {
        return await oauth.processDiscoveryResponse(address, response);
      } catch (error) {
        throw new OAuthError(
          'misconfigured',
          `The discovery document of ${issuer} is not its own.`,
          error instanceof Error ? new Error(error.message) : undefined,
        );
      }
    });
  }
}

/** For calls of the library. Its own check of addresses knows no loopback; `ProviderHttp` checks each one. */
export function overHttp(http: ProviderHttp) {
  // oxlint-disable-next-line typescript/no-deprecated -- marked only so that it stands out
  return { [oauth.customFetch]: http.fetch, [oauth.allowInsecureRequests]: true };
}

interface Keys {
  readonly jwks: oauth.JWKS;
  /** By our clock. */
  readonly fetchedAtS: number;
}

function isFilled(cache: oauth.JWKSCacheInput): cache is oauth.ExportedJWKSCache {
  return 'uat' in cache && cache.uat !== undefined;
}

/** Each may be as large as an answer may be, 1 MiB; real ones have some kilobytes. */
const entriesMax = 64;

/** Endpoints move with long notice; an hour bounds how long a wrong document can hurt. */
const documentLifetimeMs = 3_600_000;

/** The library's own limit. */
const keysLifetimeMs = 300_000;
