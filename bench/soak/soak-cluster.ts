import { setTimeout as delay } from 'node:timers/promises';
import { BenchFailure } from '../failure.ts';
import { MixedLoadRun, type MixedLoad } from './mixed-load.ts';
import { Probe, type Sample } from './probe.ts';
import type { SoakTarget } from './target.ts';
import { findings, type Finding, type Tolerance } from './verdict.ts';

export interface SoakInput {
  readonly target: SoakTarget;
  readonly load: MixedLoad;
  readonly durationMs: number;
  readonly intervalMs: number;
  readonly tolerance: Tolerance;
  readonly progress?: (line: string) => void;
}

export interface SoakResult {
  readonly requests: number;
  readonly seconds: number;
  readonly samples: number;
  readonly findings: readonly Finding[];
}

/** For a whole soak. */
export const STRICT: Tolerance = { memoryShare: 0.05, memoryBytes: 1 << 20, things: 2 };

/** For some seconds in a test: code still warms up, so only a leak that each request feeds is caught. */
const SHORT: Tolerance = { memoryShare: 0.25, memoryBytes: 6 << 20, things: 8 };

const SHORT_SECONDS = 20;

/** A soak of some seconds, for a test: needs nothing but the cluster. */
export function shortSoak(target: SoakTarget): Promise<SoakResult> {
  const load = { records: 500, connections: 32 };
  return soakCluster({ target, load, durationMs: SHORT_SECONDS * 1000, intervalMs: 1000, tolerance: SHORT });
}

/** Loads a cluster fully for a time, looks into its processes meanwhile, and says what rises. A refused request fails the soak. */
export async function soakCluster(input: SoakInput): Promise<SoakResult> {
  const load = new MixedLoadRun(input.target, input.load);
  await load.prepare();
  await using probe = await Probe.attach(input.target);
  const started = performance.now();
  const running = load.run();
  const watching = watch(probe, input, started).finally(() => load.stop());
  const [requests, series] = await Promise.all([running, watching]);
  const seconds = (performance.now() - started) / 1000;
  return { requests, seconds, samples: series.length, findings: findings(series, input.tolerance) };
}

interface Point {
  readonly atS: number;
  readonly sample: Sample;
}

async function watch(probe: Probe, input: SoakInput, started: number): Promise<Point[]> {
  const series: Point[] = [];
  const processes = identities(input.target);
  for (let due = input.intervalMs; due <= input.durationMs; due += input.intervalMs) {
    await delay(Math.max(0, started + due - performance.now()));
    const sample = await probe.sample();
    series.push({ atS: (performance.now() - started) / 1000, sample });
    input.progress?.(`${Math.round(due / 1000)} s  ${heaps(sample)}`);
  }
  if (identities(input.target) !== processes) throw new BenchFailure('a process was restarted during the soak');
  return series;
}

function identities(target: SoakTarget): string {
  return target
    .processes()
    .filter((process) => process.role !== 'postgres')
    .map((process) => `${process.role} ${process.pid}`)
    .join();
}

function heaps(sample: Sample): string {
  return [...sample]
    .filter(([name]) => name.endsWith(' heap'))
    .map(([name, bytes]) => `${name} ${(bytes / 1e6).toFixed(1)} MB`)
    .join('  ');
}
