import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { until } from '../until.ts';

/** What a receiver was sent. */
export interface ReceivedRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a receiver answers; 200 without a body when nothing is said. */
export interface ReceiverAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The answer waits for this; one that never resolves is a peer that never answers. */
  readonly after?: Promise<unknown>;
  /** What comes after the body: the end, nothing at all, more and more, or a connection torn down. */
  readonly ending?: 'end' | 'silence' | 'endless' | 'reset';
}

/** A stand-in for whatever we call over HTTP: keeps what it was sent, and answers what the test says. */
export class HttpReceiver implements AsyncDisposable {
  readonly requests: ReceivedRequest[] = [];
  /** Connections taken so far. */
  connections = 0;
  readonly #server: Server;
  #answers: readonly ReceiverAnswer[] = [];

  private constructor(tls: Tls | undefined) {
    // Who hangs up in the middle of a request has sent none.
    const take = (request: IncomingMessage, response: ServerResponse): void => void this.#take(request, response).catch(() => undefined);
    this.#server = tls === undefined ? createServer(take) : createSecureServer(tls, take);
    this.#server.on('connection', () => (this.connections += 1));
  }

  /** Listens at a free port of 127.0.0.1. */
  static async start(...answers: readonly ReceiverAnswer[]): Promise<HttpReceiver> {
    return new HttpReceiver(undefined).#listen(answers);
  }

  /** The same with TLS. */
  static async startSecure(tls: Tls, ...answers: readonly ReceiverAnswer[]): Promise<HttpReceiver> {
    return new HttpReceiver(tls).#listen(answers);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The answers to come, in this order; the last one stays. */
  answerWith(...answers: readonly ReceiverAnswer[]): void {
    this.#answers = answers;
  }

  /** The one request that came; fails when there were none or several. */
  get onlyRequest(): ReceivedRequest {
    const [request] = this.requests;
    if (request === undefined || this.requests.length > 1) throw new Error(`${this.requests.length} requests came, not one`);
    return request;
  }

  /** Waits until so many requests have come. */
  async received(count: number): Promise<void> {
    await until(`${count} requests at the receiver`, () => this.requests.length >= count);
  }

  /** Connections open now. */
  async openConnections(): Promise<number> {
    return new Promise((resolve, reject) => this.#server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))));
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    if (this.#server.listening) await once(this.#server, 'close');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #listen(answers: readonly ReceiverAnswer[]): Promise<this> {
    this.answerWith(...answers);
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    const body = await textOf(request);
    this.requests.push({ method: request.method ?? '', path: request.url ?? '', headers: headersOf(request), body });
    await this.#answer(response, this.#nextAnswer());
  }

  #nextAnswer(): ReceiverAnswer {
    const [first = {}, ...rest] = this.#answers;
    if (rest.length > 0) this.#answers = rest;
    return first;
  }

  async #answer(response: ServerResponse, { status = 200, headers = {}, body = '', after, ending = 'end' }: ReceiverAnswer): Promise<void> {
    await after;
    if (ending === 'end') return void response.writeHead(status, headers).end(body);
    response.writeHead(status, headers).flushHeaders();
    response.write(body);
    if (ending === 'endless') return pourUntilClosed(response);
    if (ending === 'reset') response.socket?.resetAndDestroy();
  }
}

/** Key and certificate, PEM. */
interface Tls {
  readonly key: string;
  readonly cert: string;
}

/** An answer's `after` for a peer that never answers. */
export const never: Promise<void> = new Promise(() => undefined);

function pourUntilClosed(response: ServerResponse): void {
  const pour = (): void => {
    while (!response.destroyed && response.write('x'.repeat(16_384))) continue;
  };
  response.on('drain', pour);
  pour();
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]));
}
