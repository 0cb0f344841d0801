import { Client, type Dispatcher } from 'undici';

/** One request of a load. */
export interface Shot {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What became of a shot. */
export interface Hit {
  readonly client: number;
  readonly shot: Shot;
  /** 0 when the connection broke before the answer was whole. */
  readonly status: number;
  /** On the clock of `performance.now()`. */
  readonly startedAt: number;
  readonly ms: number;
  readonly retryAfter: string;
  readonly text: string;
}

export interface LoadInput {
  readonly baseUrl: string;
  /** Left out: a guest's. */
  readonly adminKey?: string;
  /** Each has one connection and sends its next shot when the last is answered. */
  readonly clients: number;
  /** The next shot of `client`, its `turn`-th from 0. */
  readonly next: (client: number, turn: number) => Shot;
  /** Told of every hit; what it throws ends the load. */
  readonly onHit?: (hit: Hit) => void;
}

/** A closed-loop load on one gateway, from its construction until `stop`. Broken connections are made again; nothing is repeated. */
export class Load implements AsyncDisposable {
  readonly #input: LoadInput;
  readonly #running: Promise<unknown>;
  readonly hits: Hit[] = [];
  #isStopped = false;

  constructor(input: LoadInput) {
    this.#input = input;
    this.#running = Promise.all(Array.from({ length: input.clients }, (_, client) => this.#loop(client)));
    // Whoever stops the load hears of it.
    this.#running.catch(() => undefined);
  }

  /** Lets every client finish its shot; answers all hits. */
  async stop(): Promise<readonly Hit[]> {
    this.#isStopped = true;
    await this.#running;
    return this.hits;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopped = true;
    await this.#running.catch(() => undefined);
  }

  async #loop(client: number): Promise<void> {
    const connection = new Client(this.#input.baseUrl, { headersTimeout: answerTimeoutMs, bodyTimeout: answerTimeoutMs });
    try {
      for (let turn = 0; !this.#isStopped; turn += 1) await this.#turn(connection, client, turn);
    } finally {
      await connection.destroy();
    }
  }

  async #turn(connection: Client, client: number, turn: number): Promise<void> {
    const hit = await fire(connection, client, this.#input.next(client, turn), this.#input.adminKey);
    this.hits.push(hit);
    this.#input.onHit?.(hit);
    if (hit.status === 0 || hit.status === 503) await pause(afterRefusalMs);
  }
}

/** Runs a load for `ms`. */
export async function loadFor(ms: number, input: LoadInput): Promise<readonly Hit[]> {
  await using load = new Load(input);
  await pause(ms);
  return await load.stop();
}

/** How often each status was answered. */
export function statuses(hits: readonly Hit[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of hits) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** No request of a test takes longer; one that does is a broken connection. */
const answerTimeoutMs = 30_000;

/** Nobody hammers a service that is away. */
const afterRefusalMs = 25;

async function fire(connection: Client, client: number, shot: Shot, adminKey: string | undefined): Promise<Hit> {
  const startedAt = performance.now();
  const hit = (status: number, text: string, retryAfter: string): Hit => ({
    client,
    shot,
    status,
    startedAt,
    ms: performance.now() - startedAt,
    retryAfter,
    text,
  });
  try {
    const answer = await connection.request(requestOf(shot, adminKey));
    const text = await answer.body.text();
    return hit(answer.statusCode, text, String(answer.headers['retry-after'] ?? ''));
  } catch (error) {
    return hit(0, String(error), '');
  }
}

function requestOf({ method, path, body, headers }: Shot, adminKey: string | undefined): Dispatcher.RequestOptions {
  const all = {
    ...(adminKey === undefined ? {} : { 'x-admin-key': adminKey }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  };
  return { method, path, headers: all, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
