import { fork, type ChildProcess } from 'node:child_process';
import type { MetricsJson } from '../../../proto/process/metrics.ts';
import type { ChildMessage, ReadyInfo, SupervisorMessage } from '../../../proto/process/supervision.ts';
import type { Readiness } from '../../../proto/process/admin-server.ts';

/** How a child ended. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RoleProcessInput {
  /** The compiled program. */
  readonly program: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Where its standard output and error go. */
  readonly output: 'inherit' | 'pipe';
  readonly execArgv?: readonly string[];
}

/** One run of one role as a child process, with what it said over its channel. */
export class RoleProcess {
  readonly #child: ChildProcess;
  readonly #answers = new Map<number, (metrics: MetricsJson | undefined) => void>();
  #requests = 0;
  #readiness: Readiness = { ready: false, reasons: ['starting'] };
  /** Resolves when the role says that it is ready; undefined when it ended before. */
  readonly ready: Promise<ReadyInfo | undefined>;
  readonly ended: Promise<ProcessExit>;

  constructor({ program, environment, output, execArgv = process.execArgv }: RoleProcessInput) {
    this.#child = fork(program, [], {
      env: { ...environment },
      stdio: ['ignore', output, output, 'ipc'],
      execArgv: [...execArgv],
      serialization: 'json',
    });
    this.ended = new Promise((resolve) => {
      this.#child.once('exit', (code, signal) => resolve({ code, signal }));
      this.#child.once('error', () => this.#child.pid === undefined && resolve({ code: null, signal: null }));
    });
    this.ready = new Promise((resolve) => {
      this.#child.on('message', (message: ChildMessage) => this.#take(message, resolve));
      void this.ended.then(() => resolve(undefined));
    });
    void this.ended.then(() => this.#forget());
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get readiness(): Readiness {
    return this.#readiness;
  }

  /** Its standard output and error; absent with `inherit`. */
  get streams(): readonly NodeJS.ReadableStream[] {
    return [this.#child.stdout, this.#child.stderr].filter((stream) => stream !== null);
  }

  /** Its metrics now; undefined when it does not answer in time. */
  metrics(timeoutMs: number): Promise<MetricsJson | undefined> {
    const id = (this.#requests += 1);
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(undefined), timeoutMs);
      const settle = (metrics: MetricsJson | undefined): void => {
        clearTimeout(timer);
        this.#answers.delete(id);
        resolve(metrics);
      };
      this.#answers.set(id, settle);
      this.#send({ kind: 'metrics', id });
    });
  }

  /** Asks it to end in good order, and ends it by force after `timeoutMs`. */
  async stop(timeoutMs: number): Promise<ProcessExit> {
    this.#readiness = { ready: false, reasons: ['draining'] };
    this.#send({ kind: 'drain' });
    const timer = setTimeout(() => this.kill('SIGKILL'), timeoutMs);
    const exit = await this.ended;
    clearTimeout(timer);
    return exit;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  #take(message: ChildMessage, ready: (info: ReadyInfo) => void): void {
    switch (message.kind) {
      case 'ready': {
        const { kind: _, ...info } = message;
        this.#readiness = { ready: true, reasons: [] };
        return ready(info);
      }
      case 'readiness':
        this.#readiness = { ready: message.ready, reasons: message.reasons };
        return undefined;
      case 'metrics':
        return this.#answers.get(message.id)?.(message.metrics);
    }
  }

  #send(message: SupervisorMessage): void {
    // A channel that is gone means a child that is going: `ended` tells.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #forget(): void {
    this.#readiness = { ready: false, reasons: ['ended'] };
    for (const settle of this.#answers.values()) settle(undefined);
  }
}
