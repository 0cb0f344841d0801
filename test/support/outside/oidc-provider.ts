import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair } from 'jose';

/** What an account of the provider says of itself, beside its id. */
export type OidcAccount = Readonly<Record<string, string | number | boolean>>;

export interface OidcProviderOptions {
  /** By subject. */
  readonly accounts: Readonly<Record<string, OidcAccount>>;
  readonly redirectUris: readonly string[];
  /** Where the client has to show its secret; the provider takes it nowhere else. */
  readonly clientAuthentication?: 'basic' | 'post';
}

/**
 * A real OpenID Connect provider on a free loopback port, with one client and a list of accounts. People sign in at a plain form: a
 * browser can fill it in, and `signIn` does what a browser would. Endpoints can be made slow or answer something else.
 */
export class OidcProvider implements AsyncDisposable {
  readonly issuer: string;
  readonly clientId = 'svc-client';
  readonly clientSecret = 'a-secret_that.needs~encoding+in a%header';
  /** How often each path was asked for. */
  readonly requests = new Map<string, number>();
  readonly #server: Server;
  readonly #options: OidcProviderOptions;
  readonly #stored: Stored = new Map();
  readonly #held = new Map<string, Promise<void>>();
  readonly #instead = new Map<string, RequestListener>();
  #library: Library | undefined;
  #rotations = 0;

  private constructor(server: Server, options: OidcProviderOptions) {
    this.#server = server;
    this.#options = options;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => void this.#serve(request, response));
  }

  static async start(options: OidcProviderOptions): Promise<OidcProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const provider = new OidcProvider(server, options);
    await provider.rotateKeys();
    return provider;
  }

  /** Signs with a new key from now on; the old one is no longer published. */
  async rotateKeys(): Promise<void> {
    this.#rotations += 1;
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const key = { ...(await exportJWK(privateKey)), kid: `key-${this.#rotations}`, use: 'sig', alg: 'RS256' };
    this.#library = new (await loadLibrary()).Provider(this.issuer, this.#configuration(key));
  }

  /** Lets `answer` speak for the path from now on, or the provider itself again. */
  answerInstead(path: string, answer: RequestListener | undefined): void {
    if (answer === undefined) this.#instead.delete(path);
    else this.#instead.set(path, answer);
  }

  /** Lets requests to the path wait until the returned function is called. */
  hold(path: string): () => void {
    let release = (): void => {};
    this.#held.set(path, new Promise((resolve) => (release = resolve)));
    return () => {
      this.#held.delete(path);
      release();
    };
  }

  /** Signs an account in as a browser without cookies would; null is somebody who refuses. The address that the browser is sent back to. */
  async signIn(authorizationUrl: string, account: string | null): Promise<URL> {
    const cookies = new Map<string, string>();
    let at = new URL(authorizationUrl);
    let body: URLSearchParams | undefined;
    for (let step = 0; step < redirectsMax; step += 1) {
      const answer = await visit(at, cookies, body);
      const location = answer.headers.get('location');
      if (location === null && (answer.status !== 200 || body !== undefined))
        throw new Error(`${at.href} answers ${answer.status}: ${await answer.text()}`);
      body = location === null ? new URLSearchParams({ account: account ?? '' }) : undefined;
      at = new URL(location ?? at, at);
      if (at.origin !== this.issuer) return at;
    }
    throw new Error(`more than ${redirectsMax} redirects`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', this.issuer).pathname;
    this.requests.set(path, (this.requests.get(path) ?? 0) + 1);
    await this.#held.get(path);
    const instead = this.#instead.get(path);
    if (instead !== undefined) instead(request, response);
    else if (path.startsWith(interactionPath)) await this.#interact(request, response);
    else await this.#library?.callback()(request, response);
  }

  async #interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const library = this.#library;
    if (library === undefined) return;
    if (request.method !== 'POST') {
      response.setHeader('content-type', 'text/html').end('<form method="post"><input name="account"><button>Sign in</button></form>');
      return;
    }
    const accountId = new URLSearchParams(await text(request)).get('account') ?? '';
    const { params } = await library.interactionDetails(request, response);
    if (accountId === '') return library.interactionFinished(request, response, { error: 'access_denied' });
    const grant = new library.Grant({ accountId, clientId: this.clientId });
    grant.addOIDCScope(params.scope);
    await library.interactionFinished(request, response, { login: { accountId }, consent: { grantId: await grant.save() } });
  }

  #configuration(key: object): object {
    const { accounts, redirectUris, clientAuthentication = 'post' } = this.#options;
    const stored = this.#stored;
    return {
      adapter: class extends MemoryAdapter {
        constructor(model: string) {
          super(stored, model);
        }
      },
      clients: [
        {
          client_id: this.clientId,
          client_secret: this.clientSecret,
          redirect_uris: redirectUris,
          token_endpoint_auth_method: `client_secret_${clientAuthentication}`,
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username', 'picture', 'number'] },
      cookies: { keys: ['of this test run'] },
      features: { devInteractions: { enabled: false } },
      findAccount: (_ctx: unknown, sub: string) => accounts[sub] && { accountId: sub, claims: () => ({ ...accounts[sub], sub }) },
      interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `${interactionPath}${uid}` },
      jwks: { keys: [key] },
      ttl: { AccessToken: 600, AuthorizationCode: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    };
  }
}

const interactionPath = '/interaction/';
const redirectsMax = 10;

async function visit(url: URL, cookies: Map<string, string>, body: URLSearchParams | undefined): Promise<Response> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const answer = await fetch(url, { method: body === undefined ? 'GET' : 'POST', headers: { cookie }, redirect: 'manual', ...(body && { body }) });
  for (const line of answer.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) cookies.set(name, value);
  }
  return answer;
}

/** What this file uses of the package, which brings no types. It warns that it wants a newer Node; what is used of it runs on ours. */
async function loadLibrary(): Promise<{ readonly Provider: new (issuer: string, configuration: object) => Library }> {
  const name: string = 'oidc-provider';
  return (await import(name)) as Awaited<ReturnType<typeof loadLibrary>>;
}

interface Library {
  callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<{ readonly params: { readonly scope: string } }>;
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  readonly Grant: new (of: { readonly accountId: string; readonly clientId: string }) => {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  };
}

type Stored = Map<string, Readonly<Record<string, unknown>>>;

/** What the package keeps, in this provider's own memory: it outlives a change of keys and no other provider sees it. */
class MemoryAdapter {
  readonly #stored: Stored;
  readonly #model: string;

  constructor(stored: Stored, model: string) {
    this.#stored = stored;
    this.#model = model;
  }

  upsert(id: string, payload: Readonly<Record<string, unknown>>): Promise<void> {
    this.#stored.set(`${this.#model}:${id}`, payload);
    return Promise.resolve();
  }

  find(id: string): Promise<unknown> {
    return Promise.resolve(this.#stored.get(`${this.#model}:${id}`));
  }

  findByUid(uid: string): Promise<unknown> {
    return Promise.resolve([...this.#stored].find(([key, payload]) => key.startsWith(`${this.#model}:`) && payload['uid'] === uid)?.[1]);
  }

  consume(id: string): Promise<void> {
    return this.upsert(id, { ...this.#stored.get(`${this.#model}:${id}`), consumed: Math.floor(Date.now() / 1000) });
  }

  destroy(id: string): Promise<void> {
    this.#stored.delete(`${this.#model}:${id}`);
    return Promise.resolve();
  }

  revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, payload] of this.#stored) if (payload['grantId'] === grantId) this.#stored.delete(key);
    return Promise.resolve();
  }
}
