import type { BlockList } from 'node:net';
import {
  App,
  us_listen_socket_close,
  us_socket_local_port,
  type HttpRequest,
  type HttpResponse,
  type TemplatedApp,
  type us_listen_socket,
} from 'uWebSockets.js';
import type { Ids } from '../../proto/values/ids.ts';
import { BodyBudget } from './body-budget.ts';
import { Cors } from './cors.ts';
import { Exchange } from './exchange.ts';
import type { ExchangeOwner } from './exchange-owner.ts';
import { HeadReader } from './request-head.ts';
import { RequestIds } from './request-ids.ts';

/** Strangers' sockets. Hands each request to the handler of its method and path as an `Exchange`; knows no endpoint. */
export class HttpServer implements ExchangeOwner, AsyncDisposable {
  readonly heads = new HeadReader();
  readonly requestIds: RequestIds;
  readonly cors: Cors;
  readonly trustedProxies: BlockList;
  readonly bodyBytesMax: number;
  readonly bodyTimeMs: number;
  readonly bodyBudget: BodyBudget;
  readonly #app: TemplatedApp = App();
  #listening: us_listen_socket | null = null;
  #isDraining = false;
  #isRefusing = false;
  #inFlight = 0;
  #whenIdle: (() => void) | null = null;

  constructor(options: HttpServerOptions) {
    this.requestIds = new RequestIds(options.ids);
    this.cors = new Cors(options.corsOrigins);
    this.trustedProxies = options.trustedProxies;
    this.bodyBytesMax = options.bodyBytesMax;
    this.bodyTimeMs = options.bodyTimeMs ?? bodyTimeMsDefault;
    this.bodyBudget = new BodyBudget(Math.max(budgetBytes, 4 * options.bodyBytesMax));
  }

  /** Requests that have no answer yet. */
  get inFlight(): number {
    return this.#inFlight;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** The drain has gone on for a while: what comes now is refused. */
  get isRefusing(): boolean {
    return this.#isRefusing;
  }

  /** `handle` gets the requests of `method` to `pattern`, such as `/api/svc/:name`; It must not throw. */
  on(method: RoutedMethod, pattern: string, handle: (exchange: Exchange) => void): void {
    const input = { paramCount: pattern.split('/:').length - 1, isHead: method === 'HEAD' };
    this.#app[routers[method]](pattern, (response: HttpResponse, request: HttpRequest) => handle(new Exchange(this, response, request, input)));
  }

  /** `handle` gets the requests to `pattern` that no handler of their own method took, and the method as it was sent. */
  onOther(pattern: string, handle: (exchange: Exchange, method: string) => void): void {
    const paramCount = pattern.split('/:').length - 1;
    this.#app.any(pattern, (response, request) => {
      const method = request.getCaseSensitiveMethod();
      handle(new Exchange(this, response, request, { paramCount, isHead: method === 'HEAD' }), method);
    });
  }

  /** Listens and tells the port; 0 asks for a free one. Other processes may listen there too (SO_REUSEPORT): the kernel shares out connections. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#app.listen(host, port, (socket) => {
        if (!socket) return reject(new Error(`cannot listen on ${host}:${port}`));
        this.#listening = socket;
        resolve(us_socket_local_port(socket));
      });
    });
  }

  /** Takes no new connections and waits, at most `graceMs`, until every request has its answer; connections end with it. */
  async drain(graceMs: number): Promise<void> {
    this.#isDraining = true;
    if (this.#listening !== null) us_listen_socket_close(this.#listening);
    this.#listening = null;
    const refuse = setTimeout(() => (this.#isRefusing = true), serveWhileDrainingMs);
    await this.#idle(graceMs);
    clearTimeout(refuse);
    this.#isRefusing = true;
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    this.#isDraining = true;
    this.#listening = null;
    this.#app.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  opened(): void {
    this.#inFlight += 1;
  }

  closed(): void {
    this.#inFlight -= 1;
    if (this.#inFlight === 0) this.#whenIdle?.();
  }

  #idle(graceMs: number): Promise<void> {
    if (this.#inFlight === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.#whenIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

export interface HttpServerOptions {
  readonly ids: Pick<Ids, 'short'>;
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: BlockList;
  readonly bodyBytesMax: number;
  readonly bodyTimeMs?: number;
}

export type RoutedMethod = keyof typeof routers;

const routers = { GET: 'get', HEAD: 'head', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'del' } as const;

/** 5 MiB in this time is 175 KiB a second. */
const bodyTimeMsDefault = 30_000;
const budgetBytes = 256 * 1024 * 1024;

/** Long enough for a client to send what it was about to send on a connection it has. */
const serveWhileDrainingMs = 1000;
