import { spawn } from 'node:child_process';
import path from 'node:path';

export interface ToolRun {
  readonly code: number | null;
  /** Standard output and error, in that order. */
  readonly output: string;
}

export interface ToolInput {
  readonly root: string;
  /** The tool's entry below node_modules. */
  readonly entry: string;
  readonly options: readonly string[];
  readonly cwd: string;
}

const timeLimitMs = 60_000;

/** Runs a command-line tool of node_modules by this very Node, so that nothing need be on PATH. */
export function runTool({ root, entry, options, cwd }: ToolInput): Promise<ToolRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path.join(root, 'node_modules', entry), ...options], {
      cwd,
      timeout: timeLimitMs,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const parts: Record<'out' | 'err', string> = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (parts.out += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (parts.err += chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output: parts.out + parts.err }));
  });
}
