import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { programs } from '../../k8s/local/roles/programs.ts';
import { roleEnvironment, roleNames, type RoleName, type Topology } from '../../k8s/local/roles/role-environment.ts';
import { RoleProcess, type ProcessExit } from '../../k8s/local/roles/role-process.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { httpClient, type HttpClient } from './http.ts';
import { until } from './until.ts';

export interface ClusterInput {
  readonly gateways?: number;
  readonly stores?: number;
  readonly workers?: number;
  /** Whether the rate limits of the settings hold. */
  readonly isRateLimited?: boolean;
  /** Given to every process, over what it gets anyway. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Its own by default, dropped at the end; one that is given stays. */
  readonly database?: TestDatabase;
  /** Node options for every process, such as `--cpu-prof`. */
  readonly execArgv?: readonly string[];
}

export interface Node {
  readonly role: RoleName;
  readonly index: number;
}

/**
 * A whole cluster of real processes on free ports and private sockets. Every gateway is a node of its own, with its own port.
 * The processes end when the test process does, however it ends.
 */
export class Cluster implements AsyncDisposable {
  readonly #topology: Topology;
  readonly #input: ClusterInput;
  readonly #folder: string;
  readonly #members = new Map<string, Member>();
  readonly database: TestDatabase;

  constructor(input: ClusterInput, database: TestDatabase) {
    this.#input = input;
    this.database = database;
    this.#folder = mkdtempSync(path.join(tmpdir(), 'svc-cluster-'));
    this.#topology = topologyOf({ input, database, folder: this.#folder });
  }

  get adminKey(): string {
    return this.#topology.adminKey;
  }

  get clusterKey(): string {
    return this.#topology.clusterKey;
  }

  /** Where the gateways answer. */
  get baseUrls(): readonly string[] {
    return Array.from({ length: this.#topology.counts.gateway }, (_, index) => `http://127.0.0.1:${this.#member({ role: 'gateway', index }).port}`);
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#member({ role: 'gateway', index: 0 }).port}`;
  }

  /** A client of gateway `index` with the admin key. */
  client(index = 0): HttpClient {
    return httpClient(this.baseUrls[index] ?? this.baseUrl, this.adminKey);
  }

  guest(index = 0): HttpClient {
    return httpClient(this.baseUrls[index] ?? this.baseUrl);
  }

  /** The `unix:` addresses of the stores or workers. */
  rpcTargets(role: 'store' | 'worker'): readonly string[] {
    return Array.from({ length: this.#topology.counts[role] }, (_, index) => `unix:${path.join(this.#folder, `${role}-${index}.sock`)}`);
  }

  pid(role: RoleName, index = 0): number {
    return this.#member({ role, index }).process.pid;
  }

  get pids(): readonly number[] {
    return [...this.#members.values()].map((member) => member.process.pid);
  }

  /** What the process (and its forerunners under the same number) wrote, the last 2,000 lines. */
  logs(role: RoleName, index = 0): readonly string[] {
    return this.#member({ role, index }).lines;
  }

  /** What all processes wrote. */
  get allLogs(): readonly string[] {
    return [...this.#members.values()].flatMap((member) => member.lines);
  }

  metrics(role: RoleName, index = 0): ReturnType<RoleProcess['metrics']> {
    return this.#member({ role, index }).process.metrics(5_000);
  }

  /** Sends `signal`; resolves when the process has ended (a stop or continue signal: at once). */
  async kill(role: RoleName, index = 0, signal: NodeJS.Signals = 'SIGKILL'): Promise<ProcessExit | undefined> {
    const { process } = this.#member({ role, index });
    process.kill(signal);
    return signal === 'SIGSTOP' || signal === 'SIGCONT' ? undefined : process.ended;
  }

  /** Starts the process anew under its number (a gateway on its port) and waits until it is ready. */
  async restart(role: RoleName, index = 0): Promise<void> {
    const member = this.#member({ role, index });
    await member.process.stop(stopTimeoutMs);
    await this.#launch({ role, index }, member);
  }

  async close(): Promise<void> {
    for (const role of roleNames.toReversed()) await Promise.all([...this.#members.values()].filter((member) => member.role === role).map(stop));
    rmSync(this.#folder, { recursive: true, force: true });
    if (this.#input.database === undefined) await this.database.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Starts every process and waits until all are ready. */
  async start(): Promise<void> {
    const nodes = roleNames.flatMap((role) => Array.from({ length: this.#topology.counts[role] }, (_, index) => ({ role, index })));
    await Promise.all(nodes.map((node) => this.#launch(node)));
  }

  async #launch(node: Node, before?: Member): Promise<void> {
    const environment = {
      ...roleEnvironment({ ...this.#topology, port: before?.port ?? 0 }, node),
      ...this.#input.environment,
    };
    const member = this.#keep(
      node,
      before?.lines ?? [],
      new RoleProcess({ program: programs[node.role], environment, output: 'pipe', ...execArgvOf(this.#input) }),
    );
    const timer = setTimeout(() => member.process.kill('SIGKILL'), readyTimeoutMs);
    const info = await member.process.ready;
    clearTimeout(timer);
    if (info === undefined)
      throw new Error(`${node.role} ${node.index} did not become ready; its last lines:\n${member.lines.slice(-20).join('\n')}`);
    member.port = info.port ?? 0;
  }

  #keep(node: Node, lines: string[], process: RoleProcess): Member {
    const member: Member = { ...node, process, lines, port: 0 };
    for (const stream of process.streams) collectLines(stream, lines);
    this.#members.set(`${node.role} ${node.index}`, member);
    return member;
  }

  #member({ role, index }: Node): Member {
    const member = this.#members.get(`${role} ${index}`);
    if (member === undefined) throw new TypeError(`The cluster has no ${role} ${index}`);
    return member;
  }
}

/** Starts a cluster and waits until it is ready. */
export async function startCluster(input: ClusterInput = {}): Promise<Cluster> {
  const cluster = new Cluster(input, input.database ?? (await testDatabase()));
  try {
    await cluster.start();
    if (input.isRateLimited !== true) await unlimit(cluster);
    return cluster;
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

/** All of a test's clients have one address, and would be taken for one that guesses. */
async function unlimit(cluster: Cluster): Promise<void> {
  if (cluster.baseUrls.length === 0) return;
  const switchOff = async () => (await cluster.client().patch('/api/settings', { rateLimits: { enabled: false } })).status === 200;
  await until('the limits are switched off', switchOff);
  await Promise.all(cluster.baseUrls.map((_, gateway) => until('no limits hold', () => isUnlimited(cluster.guest(gateway)))));
}

async function isUnlimited(guest: HttpClient): Promise<boolean> {
  const tries = Array.from({ length: 12 }, () => guest.post('/api/svc/nowhere/auth-with-password', { identity: 'nobody', password: 'nothing' }));
  return (await Promise.all(tries)).every(({ status }) => status !== 429);
}

interface Member extends Node {
  readonly process: RoleProcess;
  readonly lines: string[];
  port: number;
}

const stopTimeoutMs = 15_000;
const readyTimeoutMs = 60_000;
const linesMax = 2_000;

async function stop(member: Member): Promise<void> {
  await member.process.stop(stopTimeoutMs);
}

function execArgvOf({ execArgv }: ClusterInput): { readonly execArgv?: readonly string[] } {
  return execArgv === undefined ? {} : { execArgv };
}

function topologyOf(parts: { readonly input: ClusterInput; readonly database: TestDatabase; readonly folder: string }): Topology {
  const { gateways = 1, stores = 1, workers = 1 } = parts.input;
  return {
    counts: { gateway: gateways, store: stores, worker: workers },
    socketFolder: parts.folder,
    host: '127.0.0.1',
    port: 0,
    databaseUrl: parts.database.url,
    databaseDirectUrl: parts.database.url,
    adminKey: 'admin-key-of-the-test-cluster-0123456789',
    encryptionKey: 'encryption-key-of-the-test-cluster-0123456789',
    clusterKey: 'cluster-key-of-the-test-cluster-0123456789',
  };
}

/** Keeps the last lines; a line that is not finished yet waits for its rest. */
function collectLines(stream: NodeJS.ReadableStream, lines: string[]): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    if (lines.length > linesMax) lines.splice(0, lines.length - linesMax);
  });
  stream.on('end', () => rest !== '' && lines.push(rest));
}
