import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BenchFailure } from '../failure.ts';
import { parseConnection, type Connection } from '../load/connection.ts';
import { repositoryRoot } from '../repository-root.ts';
import { Child } from './child.ts';
import { freePort } from './free-port.ts';
import { clusterProcesses, processEnvironment, type ClusterProcess, type Role } from './processes.ts';

const READY_TIMEOUT_MS = 60_000;

/** A whole cluster as `npm start` makes it: default topology, embedded Postgres with its own settings, a fresh data folder. */
export class Service implements AsyncDisposable {
  readonly host = '127.0.0.1';
  readonly port: number;
  readonly adminKey: string;
  readonly baseUrl: string;
  /** For files of the run; gone when the service is closed. */
  readonly folder: string;
  readonly metricsUrl: string;
  readonly #supervisor: Child;
  #secondGateway: Child | undefined;

  private constructor(at: { port: number; metricsPort: number; folder: string; adminKey: string; supervisor: Child }) {
    this.port = at.port;
    this.folder = at.folder;
    this.adminKey = at.adminKey;
    this.baseUrl = `http://${this.host}:${at.port}`;
    this.metricsUrl = `http://${this.host}:${at.metricsPort}/metrics`;
    this.#supervisor = at.supervisor;
  }

  static async start(input: { readonly environment?: Readonly<Record<string, string>> } = {}): Promise<Service> {
    const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
    await chmod(folder, 0o711); // the embedded Postgres runs as nobody under root, and must reach its folder
    const adminKey = randomBytes(32).toString('hex');
    const [port, metricsPort] = [await freePort(), await freePort()];
    const supervisor = new Child({
      script: new URL('dist/k8s/local/svc.js', repositoryRoot),
      args: ['up'],
      environment: {
        SVC_DATA_DIR: join(folder, 'data'),
        SVC_PORT: `${port}`,
        SVC_METRICS_PORT: `${metricsPort}`,
        SVC_ADMIN_KEY: adminKey,
        ...input.environment,
      },
      logFile: join(folder, 'service.log'),
    });
    const service = new Service({ port, metricsPort, folder, adminKey, supervisor });
    try {
      await supervisor.ready(`http://${service.host}:${metricsPort}/readyz`, READY_TIMEOUT_MS); // every process of it
      await supervisor.ready(`${service.baseUrl}/readyz`, READY_TIMEOUT_MS);
    } catch (error) {
      await service.close();
      throw error;
    }
    return service;
  }

  /** Roots of the process trees that belong to the cluster. */
  rootPids(): number[] {
    return this.#secondGateway === undefined ? [this.#supervisor.pid] : [this.#supervisor.pid, this.#secondGateway.pid];
  }

  processes(): ClusterProcess[] {
    return this.rootPids().flatMap((pid) => clusterProcesses(pid));
  }

  /** The Postgres that the store uses, by the connection that the store was given. */
  postgres(): Connection {
    const url = processEnvironment(this.#firstPid('store'))['DATABASE_URL'];
    if (url === undefined) throw new BenchFailure('the store has no DATABASE_URL in its environment');
    return parseConnection(url);
  }

  /** Starts one more gateway on a port of its own, joined to the same store; answers its base URL. */
  async startSecondGateway(): Promise<string> {
    const port = await freePort();
    const given = Object.entries(processEnvironment(this.#firstPid('gateway'))).filter(([name]) => name.startsWith('SVC_'));
    this.#secondGateway = new Child({
      script: new URL('dist/k8s/local/svc.js', repositoryRoot),
      args: ['gateway'],
      environment: { ...Object.fromEntries(given), SVC_PORT: `${port}`, SVC_METRICS_PORT: `${await freePort()}` },
      logFile: join(this.folder, 'second-gateway.log'),
    });
    const baseUrl = `http://${this.host}:${port}`;
    await this.#secondGateway.ready(`${baseUrl}/readyz`, READY_TIMEOUT_MS);
    return baseUrl;
  }

  async stopSecondGateway(): Promise<void> {
    await this.#secondGateway?.close();
    this.#secondGateway = undefined;
  }

  async close(): Promise<void> {
    await this.stopSecondGateway();
    await this.#supervisor.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #firstPid(role: Role): number {
    const found = this.processes().find((process) => process.role === role);
    if (found === undefined) throw new BenchFailure(`no ${role} is running; the service's last lines:\n${this.#supervisor.lastLines()}`);
    return found.pid;
  }
}
