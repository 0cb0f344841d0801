import { fileURLToPath } from 'node:url';
import { BenchFailure } from '../failure.ts';
import { repositoryRoot } from '../repository-root.ts';
import type { LoadResult } from './load-result.ts';
import { runToolOrFail } from './tool.ts';

export interface WrkLoad {
  readonly baseUrl: string;
  readonly method: 'GET' | 'POST';
  /** File with one request path a line. */
  readonly targets: string;
  /** File with one body a line. */
  readonly bodies?: string;
  readonly connections: number;
  /** The Authorization header; absent for a guest. */
  readonly authorization?: string;
  readonly seconds: number;
}

interface WrkReport {
  readonly requests: number;
  readonly durationUs: number;
  readonly connect: number;
  readonly read: number;
  readonly write: number;
  readonly status: number;
  readonly timeout: number;
  readonly p50Us: number;
  readonly p99Us: number;
}

/** What would be typed to run this load, without the machine's paths. */
export function wrkCommand(load: WrkLoad): string {
  const header = load.authorization === undefined ? '' : ` -H 'Authorization: Bearer ...'`;
  return `wrk -t 1 -c ${load.connections} -d ${load.seconds}s --latency${header} -s load.lua -- ${load.method} targets${load.bodies === undefined ? '' : ' bodies'}`;
}

/** One closed-loop run; any answer that is not a success, and any socket error, makes it void. */
export async function wrk(load: WrkLoad): Promise<LoadResult> {
  const script = fileURLToPath(new URL('bench/load/load.lua', repositoryRoot));
  const files = load.bodies === undefined ? [load.targets] : [load.targets, load.bodies];
  const header = load.authorization === undefined ? [] : ['-H', `Authorization: ${load.authorization}`];
  const args = ['-t', '1', '-c', `${load.connections}`, '-d', `${load.seconds}s`, '--timeout', '10s', '--latency', ...header, '-s', script];
  const output = await runToolOrFail({
    command: 'wrk',
    args: [...args, load.baseUrl, '--', load.method, ...files],
    timeoutMs: (load.seconds + 30) * 1000,
  });
  const report = parseReport(output.stdout);
  refuseErrors(report, output.stdout);
  return {
    operations: report.requests,
    rate: report.requests / (report.durationUs / 1e6),
    p50Ms: report.p50Us / 1000,
    p99Ms: report.p99Us / 1000,
    driverCpuUs: output.cpuUs,
  };
}

function parseReport(stdout: string): WrkReport {
  const line = stdout.split('\n').find((text) => text.startsWith('RESULT '));
  if (line === undefined) throw new BenchFailure(`wrk printed no result:\n${stdout}`);
  return JSON.parse(line.slice(7)) as WrkReport;
}

function refuseErrors(report: WrkReport, stdout: string): void {
  const errors = report.connect + report.read + report.write + report.status + report.timeout;
  if (errors === 0 && report.requests > 0 && !stdout.includes('Non-2xx')) return;
  throw new BenchFailure(
    `not reported: of ${report.requests} requests ${report.status} were refused by status, and there were ${report.connect} connect, ` +
      `${report.read} read, ${report.write} write errors and ${report.timeout} timeouts`,
  );
}
