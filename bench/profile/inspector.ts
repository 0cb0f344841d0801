import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'undici';
import { BenchFailure } from '../failure.ts';
import { listeningPorts } from './listening-ports.ts';

/** For a cluster whose processes are to be inspected: each opens its inspector on a free port when it is asked to, and not before. */
export const INSPECTABLE = { NODE_OPTIONS: '--inspect-port=127.0.0.1:0' } as const;

const ATTACH_TIMEOUT_MS = 10_000;
const CALL_TIMEOUT_MS = 30_000;

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Speaks to the inspector inside another Node process, which SIGUSR1 opens: the process needs no hook of ours. */
export class Inspector {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', (event) => this.#receive(String(event.data)));
    socket.addEventListener('close', () => this.#failAll(new BenchFailure('the inspected process has gone')));
  }

  static async attach(pid: number): Promise<Inspector> {
    process.kill(pid, 'SIGUSR1');
    const until = performance.now() + ATTACH_TIMEOUT_MS;
    while (performance.now() < until) {
      for (const port of listeningPorts(pid)) {
        const url = await inspectorUrl(port);
        if (url !== undefined) return new Inspector(await open(url));
      }
      await delay(50);
    }
    throw new BenchFailure(`process ${pid} opened no inspector`);
  }

  call(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    if (this.#socket.readyState !== WebSocket.OPEN) return Promise.reject(new BenchFailure('the inspector is closed'));
    const id = (this.#lastId += 1);
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => this.#settle(id)?.reject(new BenchFailure(`${method}: no answer`)), CALL_TIMEOUT_MS);
      const done =
        <Value>(settle: (value: Value) => void) =>
        (value: Value): void => {
          clearTimeout(limit);
          settle(value);
        };
      this.#waiting.set(id, { resolve: done(resolve), reject: done(reject) });
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  close(): void {
    this.#socket.close();
  }

  #receive(text: string): void {
    const message = JSON.parse(text) as { id?: number; result?: unknown; error?: { message: string } };
    if (message.id === undefined) return;
    const waiting = this.#settle(message.id);
    if (message.error === undefined) waiting?.resolve(message.result);
    else waiting?.reject(new BenchFailure(`inspector: ${message.error.message}`));
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #failAll(error: Error): void {
    for (const id of this.#waiting.keys()) this.#settle(id)?.reject(error);
  }
}

async function inspectorUrl(port: number): Promise<string | undefined> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/json/list`, { signal: AbortSignal.timeout(500) });
    const targets = (await answer.json()) as { webSocketDebuggerUrl?: string }[];
    return Array.isArray(targets) ? targets[0]?.webSocketDebuggerUrl : undefined;
  } catch {
    return undefined; // another service's port
  }
}

function open(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url);
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve(socket), { once: true });
    socket.addEventListener('error', () => reject(new BenchFailure('the inspector refused the connection')), { once: true });
  });
}
