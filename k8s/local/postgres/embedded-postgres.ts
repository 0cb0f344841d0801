import { serviceName } from './initialise.sql.ts';
import { initialise, isInitialised } from './initialise.ts';
import { leftoverPostmaster } from './postmaster-file.ts';
import { Postmaster, stopLeftover, type PostmasterExit } from './postmaster.ts';
import type { PostgresPlan } from './postgres-plan.ts';
import { socketPort } from './settings.ts';

/** What happens to the server, for the one who shows it. */
export interface PostgresEvents {
  onInitialise(): void;
  onLeftover(pid: number): void;
  /** It ended without being told to. */
  onExit(exit: PostmasterExit): void;
}

/** The development server that is kept in the data folder. */
export class EmbeddedPostgres implements AsyncDisposable {
  readonly #plan: PostgresPlan;
  readonly #events: PostgresEvents;
  #postmaster: Postmaster | undefined;
  #starting: Promise<void> = Promise.resolve();
  #closing = false;

  constructor(plan: PostgresPlan, events: PostgresEvents) {
    this.#plan = plan;
    this.#events = events;
  }

  /** Where the service's own role reaches its own database. */
  get url(): string {
    return connectionUrl(this.#plan, { user: serviceName, password: this.#plan.passwords.service, database: serviceName });
  }

  /** Where a person who repairs things, or a test, reaches everything. */
  get superuserUrl(): string {
    return connectionUrl(this.#plan, { user: 'postgres', password: this.#plan.passwords.superuser, database: 'postgres' });
  }

  get pid(): number {
    return this.#postmaster?.pid ?? 0;
  }

  /** Starts the server (the first time: makes its data) and waits until it takes connections; to be called again after an exit. */
  start(): Promise<void> {
    this.#starting = this.#start();
    return this.#starting;
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#starting.catch(() => undefined);
    await this.#postmaster?.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #start(): Promise<void> {
    const leftover = leftoverPostmaster(this.#plan.dataFolder);
    if (leftover !== undefined) {
      this.#events.onLeftover(leftover.pid);
      await stopLeftover(leftover);
    }
    if (!isInitialised(this.#plan)) {
      this.#events.onInitialise();
      await initialise(this.#plan);
    }
    if (this.#closing) return;
    const postmaster = await startPatiently(this.#plan);
    this.#postmaster = postmaster;
    void postmaster.ended.then((exit) => this.#closing || this.#events.onExit(exit));
  }
}

/** After a kill -9 of the server its last backends hold the shared memory for a moment, and a new server refuses to start. */
async function startPatiently(plan: PostgresPlan): Promise<Postmaster> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await Postmaster.start(plan);
    } catch (error) {
      if (attempt === startAttempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, attempt * 250));
    }
  }
}

const startAttempts = 4;

interface Login {
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** The host in front is for parsers that insist on one; both pg and libpq take the folder behind it. */
function connectionUrl(plan: PostgresPlan, { user, password, database }: Login): string {
  return `postgres://${user}:${password}@localhost:${socketPort}/${database}?host=${encodeURIComponent(plan.socketFolder)}`;
}
