import { ConfigError, configExitCode } from '../../proto/process/config-error.ts';
import { Impatience } from '../../proto/process/impatience.ts';
import type { RoleLifecycle } from '../../proto/process/role-lifecycle.ts';
import { supervisorChannel } from '../../proto/process/supervision.ts';
import { complain } from './reporter.ts';
import type { Reporter } from './terminal/report.ts';

/** The command was not understood (EX_USAGE of sysexits.h). */
export const usageExitCode = 64;

export function exitWithConfigError(error: ConfigError): never {
  complain(error.message);
  process.exit(configExitCode);
}

/**
 * Watches over the end of the supervisor. A signal, or the end of the one who forked this process, drains; a later second one ends
 * everything at once; an error that nothing caught drains too, and is told.
 */
export class Ending {
  readonly #lifecycle: RoleLifecycle;
  readonly #reporter: Reporter;
  readonly #channel = supervisorChannel();
  readonly #impatience = new Impatience();
  #force: () => void = () => undefined;

  constructor(lifecycle: RoleLifecycle, reporter: Reporter) {
    this.#lifecycle = lifecycle;
    this.#reporter = reporter;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, (name) => this.#onSignal(name));
    process.on('uncaughtException', (error) => this.#fail(error.stack ?? String(error), 1));
    this.#channel?.onClosed(() => this.#drain('the parent is gone', 0));
    this.#channel?.onMessage((message) => message.kind === 'drain' && this.#drain('the parent asked', 0));
    process.on('exit', (code) => code === 0 && reporter.done('stopped'));
  }

  /** What a second signal does before the process exits. */
  onForce(force: () => void): void {
    this.#force = force;
  }

  /** Tells the one who forked this process, if somebody did. */
  tellReady(): void {
    this.#channel?.send({ kind: 'ready', ...this.#lifecycle.info });
  }

  /** The start did not succeed: what has been started is ended again. */
  failStart(error: unknown): void {
    if (!(error instanceof ConfigError)) return this.#fail(error instanceof Error ? error.message : String(error), 1);
    complain(error.message);
    void this.#lifecycle.drain('the configuration is not usable', configExitCode);
  }

  #onSignal(signal: NodeJS.Signals): void {
    if (!this.#impatience.isShown()) return this.#drain(signal, 0);
    this.#force();
    process.exit(signal === 'SIGINT' ? 130 : 143);
  }

  #fail(text: string, exitCode: number): void {
    this.#reporter.error(text);
    this.#drain('an error', exitCode);
  }

  #drain(reason: string, exitCode: number): void {
    if (this.#lifecycle.draining) return;
    this.#reporter.begin('stopping');
    void this.#lifecycle.drain(reason, exitCode);
  }
}
