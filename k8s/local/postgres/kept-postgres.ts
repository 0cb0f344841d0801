import path from 'node:path';
import { Backoff } from '../../../proto/process/backoff.ts';
import type { DataFolder } from '../data-folder.ts';
import { MigrationMark } from './migration-mark.ts';
import { EmbeddedPostgres } from './embedded-postgres.ts';
import { placePostgres, type Placement } from './placement.ts';
import { postgresEnvironment } from './postgres-environment.ts';
import { keptSecret } from '../secrets.ts';
import type { Reporter } from '../terminal/report.ts';

/** The embedded Postgres of a data folder, kept up: when it ends by itself it is started again with back-off. */
export class KeptPostgres {
  readonly #server: EmbeddedPostgres;
  readonly #placement: Placement;
  readonly #reporter: Reporter;
  readonly #backoff = new Backoff({ firstMs: 100, maxMs: 10_000 });
  /** Which migrations its database has had. */
  readonly migrations: MigrationMark;
  #up = false;
  #closing = false;
  #timer: NodeJS.Timeout | undefined;

  private constructor(server: { readonly placement: Placement; readonly data: DataFolder }, reporter: Reporter) {
    const { placement, data } = server;
    this.#placement = placement;
    this.#reporter = reporter;
    this.migrations = new MigrationMark(path.dirname(placement.dataFolder));
    this.#server = new EmbeddedPostgres(
      {
        ...placement,
        logFile: path.join(data.logs, 'postgres.log'),
        durability: 'on',
        environment: postgresEnvironment(),
        passwords: { superuser: keptSecret(data.secrets, 'postgres-superuser-password'), service: keptSecret(data.secrets, 'postgres-password') },
      },
      {
        onInitialise: () => reporter.begin('making the database (the first time only)'),
        onLeftover: (pid) => reporter.note(`stopping the Postgres that an earlier start left behind (process ${pid})`),
        onExit: ({ code, signal }) => this.#startAgain(signal ?? `status ${code ?? 'unknown'}`),
      },
    );
  }

  static async open(place: { readonly data: DataFolder; readonly runtimeFolder: string }, reporter: Reporter): Promise<KeptPostgres> {
    const { data, runtimeFolder } = place;
    const installation = keptSecret(data.secrets, 'installation').slice(0, 12);
    const placement = await placePostgres({ home: path.join(data.path, 'postgres'), runtimeFolder, installation });
    return new KeptPostgres({ placement, data }, reporter);
  }

  get url(): string {
    return this.#server.url;
  }

  get isUp(): boolean {
    return this.#up;
  }

  /** Where its data lies when that is not the data folder. */
  get movedTo(): string | undefined {
    return this.#placement.movedTo;
  }

  async start(): Promise<void> {
    this.#reporter.begin('starting Postgres');
    await this.#server.start();
    this.#up = true;
    this.#reporter.done(`Postgres ${this.#placement.binaries.version.split('-')[0] ?? ''} is up`);
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#timer);
    await this.#server.close();
  }

  /** Ends it at once; it recovers at the next start. */
  kill(): void {
    if (this.#server.pid !== 0) process.kill(this.#server.pid, 'SIGQUIT');
  }

  #startAgain(how: string): void {
    this.#up = false;
    if (this.#closing) return;
    const waitMs = this.#backoff.next();
    this.#reporter.warn(`Postgres ended (${how}); starting it again in ${waitMs} ms`);
    this.#timer = setTimeout(() => {
      this.start().then(
        () => this.#backoff.reset(),
        (error: unknown) => this.#startAgain(String(error)),
      );
    }, waitMs);
  }
}
