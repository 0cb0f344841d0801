import { Backoff } from '../../../proto/process/backoff.ts';
import { configExitCode } from '../../../proto/process/config-error.ts';
import type { ReadyInfo } from '../../../proto/process/supervision.ts';
import type { RoleName } from './role-environment.ts';
import type { ProcessExit, RoleProcess } from './role-process.ts';

export interface SupervisedRoleInput {
  readonly role: RoleName;
  readonly index: number;
  readonly launch: () => RoleProcess;
  readonly events: SupervisedRoleEvents;
}

export interface SupervisedRoleEvents {
  /** It ended by itself and is started again after `waitMs`. */
  onRestart(role: SupervisedRole, end: { readonly pid: number; readonly exit: ProcessExit; readonly waitMs: number }): void;
  /** It is ready again, so long after its end. */
  onBack(role: SupervisedRole, afterMs: number): void;
  /** It cannot be kept running: starting again would not help. */
  onHopeless(role: SupervisedRole, exit: ProcessExit): void;
}

/** One place in the cluster that is to be filled: starts its process, and starts it again with back-off whenever it ends. */
export class SupervisedRole {
  readonly role: RoleName;
  readonly index: number;
  /** When it is ready for the first time. */
  readonly firstReady: Promise<ReadyInfo>;
  readonly #input: SupervisedRoleInput;
  readonly #backoff = new Backoff({ firstMs: 20, maxMs: 10_000 });
  readonly #stopping = new AbortController();
  #process: RoleProcess | undefined;
  #wasReady = false;
  #restarts = 0;
  #running: Promise<void> = Promise.resolve();
  #tellFirst: (info: ReadyInfo) => void = () => undefined;

  constructor(input: SupervisedRoleInput) {
    this.#input = input;
    this.role = input.role;
    this.index = input.index;
    this.firstReady = new Promise((resolve) => {
      this.#tellFirst = resolve;
    });
  }

  get name(): string {
    return `${this.role} ${this.index}`;
  }

  get process(): RoleProcess | undefined {
    return this.#process;
  }

  get restarts(): number {
    return this.#restarts;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Drains the process and keeps it ended. */
  async stop(timeoutMs: number): Promise<void> {
    this.#stopping.abort();
    await this.#process?.stop(timeoutMs);
    await this.#running;
  }

  async #run(): Promise<void> {
    let endedAt: number | undefined;
    while (!this.#stopping.signal.aborted) {
      const current = (this.#process = this.#input.launch());
      const readySince = this.#watchReady(current, endedAt);
      const exit = await current.ended;
      endedAt = performance.now();
      if (this.#stopping.signal.aborted) return;
      if (this.#isHopeless(exit)) return this.#input.events.onHopeless(this, exit);
      if (endedAt - ((await readySince) ?? endedAt) > steadyMs) this.#backoff.reset();
      const waitMs = this.#backoff.next();
      this.#restarts += 1;
      this.#input.events.onRestart(this, { pid: current.pid, exit, waitMs });
      await pause(waitMs, this.#stopping.signal);
    }
  }

  /** When it became ready, if it did. */
  async #watchReady(current: RoleProcess, endedAt: number | undefined): Promise<number | undefined> {
    const info = await current.ready;
    if (info === undefined) return undefined;
    this.#wasReady = true;
    this.#tellFirst(info);
    if (endedAt !== undefined) this.#input.events.onBack(this, performance.now() - endedAt);
    return performance.now();
  }

  /** A wrong configuration stays wrong; and a role that never came up is a mistake to show, not a fault to sit out. */
  #isHopeless({ code }: ProcessExit): boolean {
    return code === configExitCode || (!this.#wasReady && this.#backoff.failures >= firstTries - 1);
  }
}

/** Ready for so long, a process counts as well; its next end is waited out from the beginning. */
const steadyMs = 5_000;

const firstTries = 5;

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
