import { readinessOf, type ReadinessChecks } from './readiness.ts';
import type { Readiness } from './admin-server.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { ReadyInfo } from './supervision.ts';

/** Something that lives until it is closed. */
export interface Closable {
  close(): void | Promise<void>;
}

export interface RoleLifecycleInput {
  readonly role: string;
  readonly log: Log;
  readonly metrics: Metrics;
  /** How long a drain may take in all before the process ends anyway. */
  readonly drainTimeoutMs: number;
  /** How long the process goes on serving after it says that it is not ready, so that balancers hear of it. */
  readonly drainDelayMs: number;
  /** At which level the ordinary steps of a life are noted; what a supervisor tells anyway need not be told twice. */
  readonly noteLevel: 'info' | 'debug';
  /** Ends the process. */
  readonly exit: (code: number) => void;
}

/**
 * The life of one role: start in order, tell when ready, drain, close in the reverse order, exit.
 * `starting -> ready -> draining -> exit`; a drain can begin at any moment, also while starting.
 */
export class RoleLifecycle {
  readonly role: string;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly #input: RoleLifecycleInput;
  readonly #closables: { readonly name: string; readonly closable: Closable }[] = [];
  readonly #drainHooks: { readonly name: string; readonly hook: () => void | Promise<void> }[] = [];
  readonly #checks: ReadinessChecks = new Map();
  #state: 'starting' | 'ready' | 'draining' = 'starting';
  #info: ReadyInfo = {};
  #drained: Promise<void> | undefined;

  constructor(input: RoleLifecycleInput) {
    this.#input = input;
    this.role = input.role;
    this.log = input.log;
    this.metrics = input.metrics;
  }

  /** Keeps `resource` until the end: what was taken last is closed first. Returns it. */
  use<Resource extends Closable>(name: string, resource: Resource): Resource {
    if (this.#state === 'draining') {
      void this.#close(name, resource);
      throw new StartInterrupted();
    }
    this.#closables.push({ name, closable: resource });
    return resource;
  }

  /** The process counts as ready while all checks hold; `name` is told as the reason while this one does not. */
  readiness(name: string, check: () => boolean): void {
    this.#checks.set(name, check);
  }

  /** Called when the drain begins, all at once, before anything is closed: stop taking new work, finish what is under way. */
  onDrain(name: string, hook: () => void | Promise<void>): void {
    this.#drainHooks.push({ name, hook });
  }

  /** The start is complete; `info` is told to the supervisor. Called by `runRole` when `start` returns without it. */
  markReady(info: ReadyInfo = {}): void {
    this.#info = { ...this.#info, ...info };
    if (this.#state === 'starting') this.#state = 'ready';
  }

  get draining(): boolean {
    return this.#state === 'draining';
  }

  get noteLevel(): 'info' | 'debug' {
    return this.#input.noteLevel;
  }

  get info(): ReadyInfo {
    return this.#info;
  }

  /** Whether this process should be given work now. */
  currentReadiness(): Readiness {
    if (this.#state === 'ready') return readinessOf(this.#checks);
    return { ready: false, reasons: [this.#state] };
  }

  /** Ends the process in good order with `exitCode`; a second call joins the first. The promise resolves when all is closed. */
  drain(reason: string, exitCode = 0): Promise<void> {
    this.#drained ??= this.#drain(reason, exitCode);
    return this.#drained;
  }

  async #drain(reason: string, exitCode: number): Promise<void> {
    const wasReady = this.#state === 'ready';
    this.#state = 'draining';
    this.log[this.#input.noteLevel]({ reason }, 'draining');
    const deadline = setTimeout(() => this.#giveUp(), this.#input.drainTimeoutMs);
    if (wasReady && this.#input.drainDelayMs > 0) await sleep(this.#input.drainDelayMs);
    await Promise.all(this.#drainHooks.map(({ name, hook }) => this.#attempt(name, hook)));
    for (let last = this.#closables.pop(); last !== undefined; last = this.#closables.pop()) await this.#close(last.name, last.closable);
    clearTimeout(deadline);
    this.log[this.#input.noteLevel]('stopped');
    this.#input.exit(exitCode);
  }

  #giveUp(): void {
    this.log.error({ timeoutMs: this.#input.drainTimeoutMs, waitingFor: this.#closables.at(-1)?.name }, 'the drain took too long; ending anyway');
    this.#input.exit(1);
  }

  #close(name: string, closable: Closable): Promise<void> {
    return this.#attempt(name, () => closable.close());
  }

  async #attempt(name: string, step: () => void | Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      this.log.warn({ err: error, step: name }, 'a step of the drain failed');
    }
  }
}

/** Thrown by `use` when the process was told to stop while it was starting; the start ends there. */
export class StartInterrupted extends Error {
  override readonly name = 'StartInterrupted';

  constructor() {
    super('The process was told to stop while it was starting.');
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
