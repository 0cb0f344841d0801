import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { KeeperMessage, KeeperOrder } from './postgres-keeper.ts';

/** Where a test server is reached. */
export interface PostgresAddress {
  /** As the service's own role, into its own (empty) database. */
  readonly url: string;
  /** As superuser, into the database `postgres`. */
  readonly superuserUrl: string;
}

/** A throw-away Postgres on a private unix socket, fsync off; it goes with this process, also when that is killed. */
export class PostgresServer implements PostgresAddress, AsyncDisposable {
  readonly #keeper: ChildProcess;
  readonly url: string;
  readonly superuserUrl: string;

  private constructor(keeper: ChildProcess, { url, superuserUrl }: PostgresAddress) {
    this.#keeper = keeper;
    this.url = url;
    this.superuserUrl = superuserUrl;
  }

  static async start(): Promise<PostgresServer> {
    const program = fileURLToPath(new URL('./postgres-keeper.js', import.meta.url));
    const keeper = fork(program, [], { detached: true, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const [message] = (await once(keeper, 'message')) as [KeeperMessage];
    if (message.kind !== 'up') throw new Error(`The test server did not start: ${message.kind === 'failed' ? message.reason : message.kind}`);
    // Neither the process nor its channel keeps the test process alive; when that ends the channel closes, and the keeper with it.
    keeper.unref();
    keeper.channel?.unref();
    return new PostgresServer(keeper, message);
  }

  /** Ends the server, its data kept: SIGINT is its fast shutdown, SIGQUIT its immediate one. Resolves when it has ended. */
  stop(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    return this.#order({ kind: 'stop', signal }, 'down');
  }

  /** Starts it again; resolves when it takes connections. */
  restart(): Promise<void> {
    return this.#order({ kind: 'start' }, 'up');
  }

  async close(): Promise<void> {
    if (this.#keeper.exitCode !== null) return;
    this.#keeper.ref();
    const gone = once(this.#keeper, 'exit');
    this.#keeper.disconnect();
    await gone;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #order(order: KeeperOrder, awaited: KeeperMessage['kind']): Promise<void> {
    this.#keeper.ref();
    const answered = once(this.#keeper, 'message');
    this.#keeper.send(order);
    const [message] = (await answered) as [KeeperMessage];
    this.#keeper.unref();
    if (message.kind !== awaited) throw new Error(message.kind === 'failed' ? message.reason : `The test server is ${message.kind}`);
  }
}
