import type { Role } from '../cluster/processes.ts';
import type { LoadResult } from '../load/load-result.ts';
import { cpuBetween, readCpu } from './cpu-meter.ts';

/** One side of a comparison. */
export interface Contender {
  readonly name: string;
  /** What it runs, as it is printed. */
  readonly command: string;
  readonly statement?: string;
  run(seconds: number): Promise<LoadResult>;
}

export interface Pace {
  readonly repeats: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

/** What one contender did over all repeats. */
export interface Measured {
  readonly name: string;
  readonly command: string;
  readonly statement?: string;
  readonly rates: readonly number[];
  readonly p50Ms: readonly number[];
  readonly p99Ms: readonly number[];
  readonly operations: number;
  /** Wall time of all repeats, start and end of the generator included. */
  readonly elapsedUs: number;
  /** CPU in microseconds over all repeats. */
  readonly cpuUs: Readonly<Record<Role | 'driver' | 'others', number>>;
}

export interface InterleaveInput {
  readonly contenders: readonly Contender[];
  readonly pace: Pace;
  /** Roots of the process trees whose CPU is told apart. */
  readonly rootPids: () => readonly number[];
  readonly progress: (line: string) => void;
}

/** Warms every contender up, then runs them in turn, A B A B, so that a slow minute of the machine meets all alike. */
export async function interleave(input: InterleaveInput): Promise<Measured[]> {
  const { contenders, pace } = input;
  for (const contender of contenders) await contender.run(pace.warmUpSeconds);
  const runs = new Map<Contender, MeasuredRun[]>(contenders.map((contender) => [contender, []]));
  for (let repeat = 1; repeat <= pace.repeats; repeat += 1) {
    for (const contender of contenders) {
      const run = await measuredRun(contender, pace.seconds, input.rootPids());
      runs.get(contender)?.push(run);
      input.progress(`  ${repeat}/${pace.repeats}  ${contender.name.padEnd(32)} ${Math.round(run.result.rate).toLocaleString('en')}/s`);
    }
  }
  return contenders.map((contender) => summary(contender, runs.get(contender) ?? []));
}

interface MeasuredRun {
  readonly result: LoadResult;
  readonly elapsedUs: number;
  readonly cpuUs: Measured['cpuUs'];
}

async function measuredRun(contender: Contender, seconds: number, rootPids: readonly number[]): Promise<MeasuredRun> {
  const before = readCpu(rootPids);
  const started = performance.now();
  const result = await contender.run(seconds);
  const elapsedUs = (performance.now() - started) * 1000;
  const used = cpuBetween(before, readCpu(rootPids));
  const known = Object.values(used.roles).reduce((sum, us) => sum + us, 0) + result.driverCpuUs;
  return { result, elapsedUs, cpuUs: { ...used.roles, driver: result.driverCpuUs, others: Math.max(0, used.machine - known) } };
}

function summary(contender: Contender, runs: readonly MeasuredRun[]): Measured {
  const total = (key: keyof Measured['cpuUs']): number => runs.reduce((sum, run) => sum + run.cpuUs[key], 0);
  return {
    name: contender.name,
    command: contender.command,
    ...(contender.statement === undefined ? {} : { statement: contender.statement }),
    rates: runs.map((run) => run.result.rate),
    p50Ms: runs.flatMap((run) => run.result.p50Ms ?? []),
    p99Ms: runs.flatMap((run) => run.result.p99Ms ?? []),
    operations: runs.reduce((sum, run) => sum + run.result.operations, 0),
    elapsedUs: runs.reduce((sum, run) => sum + run.elapsedUs, 0),
    cpuUs: {
      gateway: total('gateway'),
      store: total('store'),
      worker: total('worker'),
      postgres: total('postgres'),
      supervisor: total('supervisor'),
      driver: total('driver'),
      others: total('others'),
    },
  };
}
