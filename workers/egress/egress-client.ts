import type { Socket } from 'node:net';
import { Agent, type Dispatcher } from 'undici';
import { SvcError } from '../../proto/errors/svc-error.ts';
import { EgressError, exchangeFailure } from './egress-error.ts';
import { EgressPolicy, type EgressPolicyOptions } from './egress-policy.ts';
import { guardedConnector, guardedSocket, systemResolve, type Guard, type Resolve, type SocketTarget } from './guarded-connect.ts';
import { withinDeadline } from './within-deadline.ts';

/**
 * Calls addresses that somebody else chose. Such a peer may be slow, endless or somewhere it should not be, so every call has a
 * deadline and a bound, redirects are answers like any other, and the address is judged when it is connected to.
 */
export class EgressClient implements AsyncDisposable {
  readonly #guard: Guard;
  readonly #agent: Agent;
  readonly #running = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor({ allowPrivate, connectionsPerOrigin = connectionsDefault, resolve = systemResolve }: EgressClientOptions) {
    this.#guard = { policy: new EgressPolicy({ allowPrivate }), resolve };
    this.#agent = new Agent({
      connect: guardedConnector(this.#guard, { timeoutMs: connectTimeoutMs }),
      connections: connectionsPerOrigin,
      pipelining: 1,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMaxMs,
      // The deadline of the call bounds these phases together.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * What the address answered. Rejects with EgressError when it did not within `timeoutMs`, waiting for a free connection
   * included; with the reason of `signal` when that aborts; with `draining` when the client is closed.
   */
  async request({ url, signal, ...rest }: EgressRequest): Promise<EgressAnswer> {
    if (this.#isClosed) throw new SvcError('draining');
    const { origin, path, host } = targetOf(url);
    const running = withinDeadline({ timeoutMs: rest.timeoutMs, host, signal }, (stop) =>
      this.#exchange({ origin, path, ...rest }, stop).catch((error: unknown) => {
        stop.throwIfAborted();
        throw exchangeFailure(error, host);
      }),
    );
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** A plain connection to an allowed address, for protocols other than HTTP; rejects with EgressError. The caller closes it. */
  async connect(target: SocketTarget): Promise<Socket> {
    if (this.#isClosed) throw new SvcError('draining');
    return guardedSocket(this.#guard, target);
  }

  /** Takes no more calls, and resolves when those under way have ended. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await Promise.allSettled(this.#running);
    // Not `close`, which would wait for connections that nobody waits for any more.
    await this.#agent.destroy();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #exchange({ method, headers, body, bytesMax, ...target }: Exchange, signal: AbortSignal): Promise<EgressAnswer> {
    const startMs = performance.now();
    const {
      statusCode,
      headers: received,
      body: stream,
    } = await this.#agent.request({
      origin: target.origin,
      path: target.path,
      method,
      headers,
      body: body ?? null,
      signal,
    });
    const bounded = await read(stream, bytesMax);
    return { status: statusCode, headers: oneValueEach(received), ...bounded, durationMs: Math.round(performance.now() - startMs) };
  }
}

export interface EgressClientOptions extends EgressPolicyOptions {
  /** Connections to one origin, idle ones included; more calls wait for a free one. */
  readonly connectionsPerOrigin?: number;
  /** Resolves names; the machine's resolver when left out. */
  readonly resolve?: Resolve;
}

export interface EgressRequest {
  /** http or https, without a user name. */
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** For everything from the name to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Of the answer's body; what follows is neither waited for nor kept. */
  readonly bytesMax: number;
  readonly signal?: AbortSignal;
}

export interface EgressAnswer {
  readonly status: number;
  /** Names in lower case; values of a repeated header joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Whether there was more body than `bytesMax`. */
  readonly isCut: boolean;
  readonly durationMs: number;
}

interface Target {
  readonly origin: string;
  readonly path: string;
  readonly host: string;
}

type Exchange = Omit<EgressRequest, 'url' | 'signal'> & Omit<Target, 'host'>;

const connectionsDefault = 16;
const connectTimeoutMs = 10_000;

/** Idle connections close after this unless the peer says how long it keeps its end. */
const idleMs = 4_000;
const idleMaxMs = 60_000;

function targetOf(text: string): Target {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new EgressError('protocol', 'The address is not an http or https one.');
  if (url.username !== '' || url.password !== '')
    throw new EgressError('protocol', `The address at ${url.hostname} holds a user name or a password; credentials belong in headers.`);
  return { origin: url.origin, path: `${url.pathname}${url.search}`, host: url.hostname };
}

/** At most `bytesMax` bytes; the stream, and with it the connection, is given up when there are more. */
async function read(stream: Dispatcher.ResponseData['body'], bytesMax: number): Promise<{ readonly body: Buffer; readonly isCut: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Leaving the loop destroys the stream.
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > bytesMax) break;
  }
  return { body: Buffer.concat(chunks, Math.min(length, bytesMax)), isCut: length > bytesMax };
}

function oneValueEach(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? []].flat().join(', ')]));
}
