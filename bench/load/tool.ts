import { spawn } from 'node:child_process';
import { plainEnvironment } from '../cluster/plain-environment.ts';
import { BenchFailure } from '../failure.ts';

export interface ToolRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly timeoutMs: number;
}

export interface ToolOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  /** User and system time of the tool itself, in microseconds. */
  readonly cpuUs: number;
}

// `times` is POSIX: its second line is what the shell's children used. So a tool's own CPU is known without asking /proc in time.
const TIMED = '"$@"; code=$?; printf "\\n--times--\\n" >&2; times >&2; exit $code';

/** The exit code of a program that was killed, as a shell would give it. */
const STOPPED = 137;

/** Runs an outside program to its end, bounded in time, and says what CPU it used. */
export async function runTool(run: ToolRun): Promise<ToolOutput> {
  const child = spawn('sh', ['-c', TIMED, 'sh', run.command, ...run.args], {
    env: plainEnvironment(run.environment ?? {}),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on('error', () => undefined); // the tool may end without reading its input
  child.stdin.end(run.input ?? '');
  const limit = setTimeout(() => stopGroup(child.pid), run.timeoutMs);
  const exitCode = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? STOPPED));
  }).finally(() => clearTimeout(limit));
  const [text, times] = splitTimes(Buffer.concat(stderr).toString());
  return { stdout: Buffer.concat(stdout).toString(), stderr: text, exitCode, cpuUs: childrenCpuUs(times) };
}

/** The same, refusing any exit but 0. */
export async function runToolOrFail(run: ToolRun): Promise<ToolOutput> {
  const output = await runTool(run);
  if (output.exitCode === 0) return output;
  const said = `${output.stderr}\n${output.stdout}`.trim().split('\n').slice(0, 6).join('\n  ');
  if (output.exitCode === STOPPED) throw new BenchFailure(`${run.command} was stopped: it did not end within ${run.timeoutMs / 1000} s\n  ${said}`);
  throw new BenchFailure(`${run.command} ended with exit code ${output.exitCode}:\n  ${said}`);
}

function stopGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself in the meantime.
  }
}

function splitTimes(stderr: string): [string, string] {
  const at = stderr.lastIndexOf('\n--times--\n');
  return at < 0 ? [stderr, ''] : [stderr.slice(0, at), stderr.slice(at + 11)];
}

function childrenCpuUs(times: string): number {
  const line = times.trim().split('\n').at(1) ?? '';
  const parts = [...line.matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, part) => sum + (Number(part[1]) * 60 + Number(part[2])) * 1e6, 0);
}
