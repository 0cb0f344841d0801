import { BenchFailure } from '../failure.ts';
import { libpqEnvironment, type Connection } from './connection.ts';
import type { LoadResult } from './load-result.ts';
import { runToolOrFail } from './tool.ts';

export interface PgbenchLoad {
  readonly connection: Connection;
  /** File with the pgbench script. */
  readonly script: string;
  readonly connections: number;
  readonly seconds: number;
}

// Connecting takes part of a second, and the second after it pays for 64 fresh backends: cold caches and the preparing of every
// statement. The service's few connections are warm, so all that is left out of pgbench's rate; otherwise the ceiling would be too low.
const COLD_SECONDS = 1;
const LEAD_SECONDS = COLD_SECONDS + 1;

/** What would be typed to run this load, without the machine's paths. */
export function pgbenchCommand(load: PgbenchLoad): string {
  return `pgbench -n -M prepared -j 2 -c ${load.connections} -T ${load.seconds + LEAD_SECONDS} -P 1 -f script (connecting and the second after it left out)`;
}

/** One run; any failed transaction or aborted client makes it void. */
export async function pgbench(load: PgbenchLoad): Promise<LoadResult> {
  const time = load.seconds + LEAD_SECONDS;
  const output = await runToolOrFail({
    command: 'pgbench',
    args: ['-n', '-M', 'prepared', '-j', '2', '-c', `${load.connections}`, '-T', `${time}`, '-P', '1', '-f', load.script],
    environment: libpqEnvironment(load.connection),
    timeoutMs: (time + 30) * 1000,
  });
  const said = `${output.stdout}\n${output.stderr}`;
  const operations = Number(/number of transactions actually processed: (\d+)/.exec(said)?.[1] ?? Number.NaN);
  const failed = Number(/number of failed transactions: (\d+)/.exec(said)?.[1] ?? Number.NaN);
  if (!(operations > 0) || failed !== 0 || /\b(ERROR|FATAL|aborted)\b/.test(said)) {
    throw new BenchFailure(`not reported: pgbench did ${operations} transactions, ${failed} failed\n${said.trim()}`);
  }
  return { operations, rate: warmRate(operations, output), driverCpuUs: output.cpuUs };
}

interface Interval {
  readonly fromS: number;
  readonly toS: number;
  readonly operations: number;
}

/** The rate over the reported intervals that begin when all is warm. */
function warmRate(operations: number, output: { readonly stdout: string; readonly stderr: string }): number {
  const connectedS = Number(/initial connection time = ([\d.]+) ms/.exec(output.stdout)?.[1] ?? Number.NaN) / 1000;
  const tps = Number(/^tps = ([\d.]+) \(without initial connection time\)/m.exec(output.stdout)?.[1] ?? Number.NaN);
  const all = intervals(output.stderr, { operations, endS: connectedS + operations / tps });
  const warm = all.filter((interval) => interval.fromS >= connectedS + COLD_SECONDS);
  const rate = warm.reduce((sum, interval) => sum + interval.operations, 0) / warm.reduce((sum, { fromS, toS }) => sum + toS - fromS, 0);
  if (!(rate > 0)) throw new BenchFailure(`pgbench had no warm interval: the machine is too busy to measure\n${output.stdout}\n${output.stderr}`);
  return rate;
}

/** As `-P` reports them, and what followed the last report. */
function intervals(progress: string, whole: { readonly operations: number; readonly endS: number }): Interval[] {
  const found: Interval[] = [];
  let fromS = 0;
  for (const [, at, rate] of progress.matchAll(/^progress: ([\d.]+) s, ([\d.]+) tps/gm)) {
    found.push({ fromS, toS: Number(at), operations: Number(rate) * (Number(at) - fromS) });
    fromS = Number(at);
  }
  const reported = found.reduce((sum, interval) => sum + interval.operations, 0);
  const isReportedWhole = whole.endS - fromS < 0.2;
  return isReportedWhole ? found : [...found, { fromS, toS: whole.endS, operations: whole.operations - reported }];
}
