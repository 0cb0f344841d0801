import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import path from 'node:path';
import { ConfigError } from '../../proto/process/config.ts';
import { onLines } from './terminal/lines.ts';
import { compiledRoot, programs } from './roles/programs.ts';
import { print } from './reporter.ts';
import { RestartedProcess } from './restarted-process.ts';

/** `svc dev`: compiles on every change, and starts everything again when that went well. */
export function dev(): void {
  const cluster = new RestartedProcess(programs.svc, ['up']);
  const compilers = projects.map((project) => startCompiler(project));
  for (const { stdout } of compilers) {
    if (stdout === null) continue;
    onLines(stdout, (line) => {
      if (line.trim() !== '') print(`  ${line}`);
      if (line.includes('Found 0 errors')) cluster.restart();
    });
  }
  // Migrations are not compiled; a new one is applied by a new start.
  const migrations = watch(path.join(projectRoot, 'store', 'migrations'), () => cluster.restart());
  const end = async (): Promise<void> => {
    migrations.close();
    for (const compiler of compilers) endGroup(compiler);
    await cluster.close();
    process.exit(0);
  };
  for (const compiler of compilers) compiler.once('exit', () => void end());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end());
}

const projectRoot = path.dirname(compiledRoot);

/** The second is of the scripts that run in browsers. */
const projects: readonly string[] = ['tsconfig.json', path.join('gateway', 'pages', 'browser', 'tsconfig.json')];

/** A group of its own: the compiler's program starts another one, and both are to end. */
function startCompiler(project: string): ChildProcess {
  const compiler = path.join(projectRoot, 'node_modules', 'typescript7', 'bin', 'tsc');
  if (!existsSync(compiler)) throw new ConfigError(['svc dev needs the development packages, which are not installed here; run npm ci']);
  const options = ['-p', path.join(projectRoot, project), '--watch', '--preserveWatchOutput'];
  return spawn(process.execPath, [compiler, ...options], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGTERM');
  } catch {
    // It has ended already.
  }
}
