import { chmodSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { metricsContentType } from './metrics.ts';

/** Whether a process can do its work, and if not, why. */
export interface Readiness {
  readonly ready: boolean;
  readonly reasons: readonly string[];
}

/** Where an admin server listens: host and port, or a unix socket. */
export type AdminAddress = { readonly host: string; readonly port: number } | { readonly path: string };

export interface AdminSources {
  readiness(): Readiness;
  metrics(): Promise<string>;
}

/** Answers `/livez`, `/readyz` and `/metrics` for machines that look after this process; never on the public port. */
export class AdminServer implements AsyncDisposable {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Resolves when the server listens; rejects with the system's error when it cannot. */
  static async start(address: AdminAddress, sources: AdminSources): Promise<AdminServer> {
    const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000, keepAliveTimeout: 5_000, maxHeaderSize: 8_192 }, listener(sources));
    server.maxConnections = 64;
    if ('path' in address) rmSync(address.path, { force: true });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen('path' in address ? { path: address.path } : { host: address.host, port: address.port, exclusive: true }, resolve);
    });
    if ('path' in address) chmodSync(address.path, 0o600);
    return new AdminServer(server);
  }

  /** The port it listens on; 0 for a unix socket. */
  get port(): number {
    const address = this.#server.address();
    return address === null || typeof address === 'string' ? 0 : address.port;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function listener(sources: AdminSources): RequestListener {
  return (request, response) => {
    route(sources, request, response).catch(() => answer(response, { status: 500, type: 'text/plain', body: 'The metrics could not be read.\n' }));
  };
}

async function route(sources: AdminSources, request: IncomingMessage, response: ServerResponse): Promise<void> {
  request.resume();
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    return answer(response, { status: 405, type: 'text/plain', body: 'Only GET is answered here.\n' });
  }
  switch (request.url?.split('?')[0] ?? '') {
    case '/livez':
      return answer(response, { status: 200, type: 'application/json', body: '{"live":true}\n' });
    case '/readyz':
      return answer(response, readyAnswer(sources.readiness()));
    case '/metrics':
      return answer(response, { status: 200, type: metricsContentType, body: await sources.metrics() });
    default:
      return answer(response, { status: 404, type: 'text/plain', body: 'Here are /livez, /readyz and /metrics.\n' });
  }
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

function readyAnswer({ ready, reasons }: Readiness): Answer {
  return { status: ready ? 200 : 503, type: 'application/json', body: `${JSON.stringify({ ready, reasons })}\n` };
}

function answer(response: ServerResponse, { status, type, body }: Answer): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
