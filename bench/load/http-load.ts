import { connect, type Socket } from 'node:net';
import { BenchFailure } from '../failure.ts';

// A small closed-loop HTTP/1.1 driver for filling tables and for soaking: each connection sends its next request when the last is
// answered. Rates are never taken from it (wrk is for that).

export interface HttpLoad {
  readonly host: string;
  readonly port: number;
  readonly connections: number;
  /** The next request's bytes; undefined ends the connection that asked. */
  next(): Buffer | undefined;
  /** Every answer; a refusal thrown here ends the load. */
  answered?(status: number, body: Buffer): void;
}

/** Runs until `next` is exhausted on every connection; answers how many requests were answered. */
export async function httpLoad(load: HttpLoad): Promise<number> {
  const counts = await Promise.all(Array.from({ length: load.connections }, () => new Client(load).done));
  return counts.reduce((sum, count) => sum + count, 0);
}

export function httpRequest(method: string, path: string, body?: string, headers: Readonly<Record<string, string>> = {}): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: bench'];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}

const ANSWER_TIMEOUT_MS = 15_000;

class Client {
  readonly done: Promise<number>;
  readonly #load: HttpLoad;
  readonly #socket: Socket;
  #answers = 0;
  #waiting = false;
  #pending: Buffer = Buffer.alloc(0);
  #resolve: (count: number) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(load: HttpLoad) {
    this.#load = load;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#socket = connect({ host: load.host, port: load.port, noDelay: true });
    this.#socket.setTimeout(ANSWER_TIMEOUT_MS, () => this.#fail(new BenchFailure(`no answer for ${ANSWER_TIMEOUT_MS} ms`)));
    this.#socket.once('connect', () => this.#send());
    this.#socket.on('data', (chunk) => this.#receive(chunk));
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.once('close', () => this.#fail(new BenchFailure('the service closed a connection')));
  }

  #send(): void {
    const request = this.#load.next();
    this.#waiting = request !== undefined;
    if (request !== undefined) {
      this.#socket.write(request);
      return;
    }
    this.#resolve(this.#answers);
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    try {
      const answer = parseAnswer(this.#pending);
      if (answer === undefined) return;
      if (!this.#waiting || this.#pending.length > answer.end) throw new BenchFailure('an answer that nobody asked for');
      this.#pending = Buffer.alloc(0);
      this.#answers += 1;
      this.#load.answered?.(answer.status, answer.body);
      this.#send();
    } catch (error) {
      this.#fail(error instanceof Error ? error : new BenchFailure(String(error)));
    }
  }

  #fail(error: Error): void {
    this.#reject(error);
    this.#socket.destroy();
  }
}

interface ParsedAnswer {
  readonly status: number;
  readonly body: Buffer;
  readonly end: number;
}

function parseAnswer(bytes: Buffer): ParsedAnswer | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = bytes.toString('latin1', 0, headEnd);
  const status = Number(head.slice(9, 12));
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined && status !== 204 && status !== 304) throw new BenchFailure(`an answer without Content-Length: ${head}`);
  const end = headEnd + 4 + Number(length ?? 0);
  return bytes.length < end ? undefined : { status, body: bytes.subarray(headEnd + 4, end), end };
}
