import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that arrived. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body's form; empty when there is none. */
  readonly form: Readonly<Record<string, string>>;
}

/** What is answered: `json` as JSON, `body` as it is. */
export interface ReceiverAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: string;
}

/** Stands in for an OAuth provider: answers by path what its test has laid down, 404 elsewhere, and remembers what it was asked. */
export class OAuthReceiver implements AsyncDisposable {
  readonly url: string;
  readonly received: ReceivedRequest[] = [];
  readonly #server: Server;
  readonly #answers = new Map<string, ReceiverAnswer>();
  readonly #silent = new Set<string>();

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<OAuthReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new OAuthReceiver(server);
  }

  answer(path: string, answer: ReceiverAnswer): void {
    this.#answers.set(path, answer);
  }

  /** Takes requests to the path and never answers them. */
  fallSilent(path: string): void {
    this.#silent.add(path);
  }

  /** The requests to one path. */
  at(path: string): readonly ReceivedRequest[] {
    return this.received.filter((request) => request.path === path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    this.received.push({ method: request.method ?? '', path: pathname, query: Object.fromEntries(searchParams), headers: request.headers, form });
    if (this.#silent.has(pathname)) return;
    const { status = 200, headers = {}, json, body = '' } = this.#answers.get(pathname) ?? { status: 404 };
    const type = json === undefined ? 'text/html' : 'application/json; charset=utf-8';
    response.writeHead(status, { 'content-type': type, ...headers }).end(json === undefined ? body : JSON.stringify(json));
  }
}
