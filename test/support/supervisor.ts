import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ChildrenFile } from '../../k8s/local/processes/leftover-children.ts';
import { identityOf, isAlive, signalProcess, waitForEnd, type ProcessIdentity } from '../../k8s/local/processes/process-identity.ts';
import { leftoverPostmaster } from '../../k8s/local/postgres/postmaster-file.ts';
import type { ProcessExit } from '../../k8s/local/roles/role-process.ts';
import { programs } from '../../k8s/local/roles/programs.ts';
import { httpClient, type HttpClient } from './http.ts';
import { until } from './until.ts';

/** A folder for `svc up` to keep its data in, and whatever was started on it. */
export class Installation implements AsyncDisposable {
  /** Where `svc up` is called. */
  readonly folder: string;
  readonly #started: SupervisorRun[] = [];

  readonly #made: string;

  /** The folder is `name` below one made for it, which has `mode`: under root, 0700 keeps the server's user out. */
  constructor({ name = '', mode = 0o755 }: { readonly name?: string; readonly mode?: number } = {}) {
    this.#made = mkdtempSync(path.join(tmpdir(), 'svc-up-'));
    chmodSync(this.#made, mode);
    this.folder = path.join(this.#made, name);
  }

  get dataFolder(): string {
    return path.join(this.folder, 'svc-data');
  }

  get adminKey(): string {
    const file = path.join(this.dataFolder, 'secrets', 'admin-key');
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  }

  /** The supervised processes that are alive. */
  children(): readonly ProcessIdentity[] {
    const file = path.join(this.dataFolder, 'children.json');
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ProcessIdentity[]).filter(isAlive) : [];
  }

  /** Where the embedded Postgres keeps its data, when not in the data folder. */
  get movedTo(): string | undefined {
    return this.#started.map(({ output }) => /the data lies in (\S+):/.exec(output)?.[1]).find((place) => place !== undefined);
  }

  postgres(): ProcessIdentity | undefined {
    return leftoverPostmaster(path.join(this.movedTo ?? path.join(this.dataFolder, 'postgres'), 'data'));
  }

  /** Starts `svc up` on free ports. */
  up(environment: Readonly<Record<string, string>> = {}): SupervisorRun {
    const run = new SupervisorRun(this, environment);
    this.#started.push(run);
    return run;
  }

  async close(): Promise<void> {
    for (const run of this.#started) await run.stop();
    const postgres = this.postgres();
    await new ChildrenFile(this.dataFolder).stopLeftovers();
    if (postgres !== undefined) {
      signalProcess(postgres, 'SIGQUIT');
      await waitForEnd([postgres], 10_000);
    }
    for (const place of [this.#made, this.movedTo]) if (place !== undefined) rmSync(place, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** One run of `svc up`. */
export class SupervisorRun {
  readonly #installation: Installation;
  readonly #child: ChildProcess;
  readonly ended: Promise<ProcessExit>;
  #output = '';
  #ports: { readonly port: number; readonly adminPort: number } | undefined;

  constructor(installation: Installation, environment: Readonly<Record<string, string>>) {
    this.#installation = installation;
    const env = {
      PATH: process.env['PATH'] ?? '',
      SVC_ENV_FILE: 'none',
      SVC_PORT: '0',
      SVC_METRICS_PORT: '0',
      SVC_DATA_DIR: installation.dataFolder,
      ...environment,
    };
    this.#child = spawn(process.execPath, ['--enable-source-maps', programs.svc, 'up'], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.on('data', (text: Buffer) => (this.#output += text.toString()));
    this.#child.on('message', (message) => (this.#ports = message as { port: number; adminPort: number }));
    this.ended = new Promise((resolve) => this.#child.once('exit', (code, signal) => resolve({ code, signal })));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get isAlive(): boolean {
    return identityOf(this.pid) !== undefined;
  }

  /** What it and its children wrote. */
  get output(): string {
    return this.#output;
  }

  get client(): HttpClient {
    return httpClient(`http://127.0.0.1:${this.#ports?.port ?? 0}`, this.#installation.adminKey);
  }

  get admin(): HttpClient {
    return httpClient(`http://127.0.0.1:${this.#ports?.adminPort ?? 0}`);
  }

  get port(): number {
    return this.#ports?.port ?? 0;
  }

  /** Waits until it tells that all is ready. */
  async ready(): Promise<this> {
    await until('the supervisor is ready', () => {
      if (!this.isAlive) throw new Error(`svc up ended:\n${this.#output}`);
      return this.#ports !== undefined;
    });
    return this;
  }

  async says(pattern: RegExp): Promise<void> {
    await until(`the output holds ${String(pattern)}`, () => pattern.test(this.#output));
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Drains it if it still runs. */
  async stop(): Promise<void> {
    if (!this.isAlive) return;
    this.#child.kill('SIGTERM');
    await this.ended;
  }
}
