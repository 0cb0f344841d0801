import { readdirSync, readFileSync } from 'node:fs';
import { BenchFailure } from '../failure.ts';
import type { ClusterProcess } from '../cluster/processes.ts';
import { Inspector } from '../profile/inspector.ts';
import type { SoakTarget } from './target.ts';

/** What is watched, by a name such as `store heap`; in bytes or in numbers of things. */
export type Sample = ReadonlyMap<string, number>;

/** Looks into every process of a cluster through its inspector, after a forced collection. */
export class Probe implements AsyncDisposable {
  readonly #target: SoakTarget;
  readonly #watched: readonly WatchedProcess[];

  private constructor(target: SoakTarget, watched: readonly WatchedProcess[]) {
    this.#target = target;
    this.#watched = watched;
  }

  static async attach(target: SoakTarget): Promise<Probe> {
    const nodes = target.processes().filter((process) => process.role !== 'postgres');
    const watched: WatchedProcess[] = [];
    for (const process of nodes) watched.push({ name: nameAmong(nodes, process), process, inspector: await Inspector.attach(process.pid) });
    return new Probe(target, watched);
  }

  async sample(): Promise<Sample> {
    const sample = new Map<string, number>();
    for (const watched of this.#watched) await addProcess(sample, watched);
    sample.set('Postgres connections', this.#target.postgresConnections?.() ?? postgresBackends(this.#target));
    if (this.#target.metricsUrl !== undefined) await addGauges(sample, this.#target.metricsUrl);
    return sample;
  }

  close(): Promise<void> {
    for (const { inspector } of this.#watched) inspector.close();
    return Promise.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

interface WatchedProcess {
  readonly name: string;
  readonly process: ClusterProcess;
  readonly inspector: Inspector;
}

function nameAmong(all: readonly ClusterProcess[], process: ClusterProcess): string {
  const alike = all.filter((other) => other.role === process.role);
  return alike.length === 1 ? process.role : `${process.role} ${alike.indexOf(process)}`;
}

const LOOK = 'JSON.stringify({ ...process.memoryUsage(), handles: process.getActiveResourcesInfo().length })';

async function addProcess(sample: Map<string, number>, { name, process, inspector }: WatchedProcess): Promise<void> {
  await inspector.call('HeapProfiler.collectGarbage');
  const looked = (await inspector.call('Runtime.evaluate', { expression: LOOK, returnByValue: true })) as { result: { value: string } };
  const seen = JSON.parse(looked.result.value) as { rss: number; heapUsed: number; external: number; handles: number };
  sample.set(`${name} heap`, seen.heapUsed);
  sample.set(`${name} external memory`, seen.external);
  sample.set(`${name} resident memory`, seen.rss);
  sample.set(`${name} handles`, seen.handles);
  sample.set(`${name} descriptors`, readdirSync(`/proc/${process.pid}/fd`).length);
}

/** Backends that serve a client are titled `postgres: <user> <database> <address> <state>`. */
function postgresBackends(target: SoakTarget): number {
  const titles = target
    .processes()
    .filter((process) => process.role === 'postgres')
    .map((process) => commandLine(process.pid));
  return titles.filter((title) => /^postgres: \S+ \S+ (\[local\]|\S+\(\d+\))/.test(title)).length;
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return ''; // ended meanwhile
  }
}

const COUNTED = /(open|stream|lane|outstanding|in_flight|inflight|connections|queue|pending)/;

/** Gauges of the service that count things held: summed over processes and labels. */
async function addGauges(sample: Map<string, number>, metricsUrl: string): Promise<void> {
  const lines = (await metricsText(metricsUrl)).split('\n');
  const gauges = new Set(lines.flatMap((line) => /^# TYPE (svc_\S+) gauge$/.exec(line)?.[1] ?? []));
  for (const line of lines) {
    const [, name = '', value = ''] = /^(\w+)(?:\{.*\})? (\S+)/.exec(line) ?? [];
    if (gauges.has(name) && COUNTED.test(name)) sample.set(name, (sample.get(name) ?? 0) + Number(value));
  }
}

async function metricsText(metricsUrl: string): Promise<string> {
  const answer = await fetch(metricsUrl, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  if (answer?.status !== 200) throw new BenchFailure(`the metrics could not be read: ${answer?.status ?? 'no answer'}`);
  return answer.text();
}
