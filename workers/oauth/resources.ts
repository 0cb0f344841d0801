import { answerOf, jsonOf, type Answer } from './answer.ts';
import { byStatus } from './failures.ts';
import { OAuthError } from './oauth-error.ts';
import type { ProviderHttp } from './provider-http.ts';

/** What a provider's interface answers to the bearer of one access token. */
export class Resources {
  /** The one that says who the bearer is. */
  readonly userInfoUrl: string;
  readonly #http: ProviderHttp;
  readonly #accessToken: string;

  constructor({ http, accessToken, userInfoUrl }: { readonly http: ProviderHttp; readonly accessToken: string; readonly userInfoUrl: string }) {
    this.#http = http;
    this.#accessToken = accessToken;
    this.userInfoUrl = userInfoUrl;
  }

  get who(): string {
    return this.#http.who;
  }

  async object(url: string, headers?: Readonly<Record<string, string>>): Promise<Answer> {
    const { status, body } = await this.#http.get(url, this.#accessToken, headers);
    if (status === 401) throw new OAuthError('bad_token', `${this.who} does not take its own access token.`);
    if (status !== 200) throw byStatus(this.who, status);
    return answerOf(this.who, body);
  }

  /** A list; null when the token does not reach so far (403, 404). */
  async listIfShown(url: string, headers?: Readonly<Record<string, string>>): Promise<readonly unknown[] | null> {
    const { status, body } = await this.#http.get(url, this.#accessToken, headers);
    if (status === 403 || status === 404) return null;
    if (status !== 200) throw byStatus(this.who, status);
    const { value } = jsonOf(this.who, body);
    return Array.isArray(value) ? value : null;
  }
}
