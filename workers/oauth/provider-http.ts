import { jsonOf } from './answer.ts';
import type { Egress, EgressAnswer, EgressRequest } from './egress.ts';
import { OAuthError } from './oauth-error.ts';

/** HTTP with one provider for the length of one exchange: every request is bounded, and so are all of them together. */
export class ProviderHttp {
  readonly #egress: Egress;
  readonly #who: string;
  readonly #signal: AbortSignal | undefined;
  readonly #endsAtMs = performance.now() + exchangeMsMax;

  constructor({ egress, who, signal }: ProviderHttpOptions) {
    this.#egress = egress;
    this.#who = who;
    this.#signal = signal;
  }

  /** Who is talked to, for messages. */
  get who(): string {
    return this.#who;
  }

  /** In the place of `fetch`. A success that is not JSON fails here: the parser of the library would quote it. */
  readonly fetch = async (url: string, { method, headers, body }: FetchOptions): Promise<Response> => {
    const answer = await this.#request({ url, method, headers, ...(body === undefined ? {} : { body: body.toString() }) });
    if (answer.status === 200) jsonOf(this.#who, answer.body);
    const content = bodiless.has(answer.status) ? null : new Uint8Array(answer.body);
    return new Response(content, { status: answer.status, headers: headersOf(answer) });
  };

  /** What stands at `url` for the bearer of the token; statuses are the caller's to judge. */
  get(url: string, accessToken: string, headers: Readonly<Record<string, string>> = {}): Promise<EgressAnswer> {
    return this.#request({ url, method: 'GET', headers: { accept: 'application/json', ...headers, authorization: `Bearer ${accessToken}` } });
  }

  async #request({ url, method, headers, body }: Pick<EgressRequest, 'url' | 'method' | 'headers' | 'body'>): Promise<EgressAnswer> {
    if (!isSafeAddress(url)) throw new OAuthError('misconfigured', `${this.#who} has an endpoint that is neither https nor on this machine.`);
    const leftMs = Math.ceil(this.#endsAtMs - performance.now());
    if (leftMs <= 0) throw new OAuthError('provider_unavailable', `${this.#who} takes too long.`);
    const answer = await this.#send({
      url,
      method,
      headers: { 'user-agent': userAgent, ...headers },
      ...(body === undefined ? {} : { body }),
      timeoutMs: Math.min(requestMsMax, leftMs),
      bytesMax: answerBytesMax,
      ...(this.#signal === undefined ? {} : { signal: this.#signal }),
    });
    if (answer.status < 200 || answer.status > 599) throw new OAuthError('provider_unavailable', `${this.#who} answers ${answer.status}.`);
    return answer;
  }

  async #send(request: EgressRequest): Promise<EgressAnswer> {
    try {
      return await this.#egress.request(request);
    } catch (error) {
      // Only the words of the error: whatever hangs on it may hold the request.
      throw new OAuthError('provider_unavailable', `${this.#who} does not answer.`, new Error(error instanceof Error ? error.message : 'no error'));
    }
  }
}

export interface ProviderHttpOptions {
  readonly egress: Egress;
  readonly who: string;
  readonly signal?: AbortSignal | undefined;
}

interface FetchOptions {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: URLSearchParams | undefined;
}

/** Whether tokens may travel to `url`: by https, or without leaving this machine. */
export function isSafeAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname));
}

/** GitHub's API refuses requests without one. */
const userAgent = 'svc';

const requestMsMax = 10_000;
/** At most five requests stand behind an exchange; a person is waiting for all of them. */
const exchangeMsMax = 20_000;
const answerBytesMax = 1_048_576;

/** Answers that `Response` lets have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** The two headers that decide how a body is read. */
function headersOf({ headers }: EgressAnswer): [string, string][] {
  return Object.entries(headers).filter(([name]) => /^(content-type|www-authenticate)$/i.test(name));
}
