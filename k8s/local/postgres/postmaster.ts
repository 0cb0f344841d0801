import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { signalProcess, waitForEnd, type ProcessIdentity } from '../processes/process-identity.ts';
import type { PostgresPlan } from './postgres-plan.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { serverSettings } from './settings.ts';

/** How a server ended. */
export interface PostmasterExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One run of the server process. */
export class Postmaster {
  readonly #child: ChildProcess;
  readonly ended: Promise<PostmasterExit>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
      child.once('error', () => resolve({ code: null, signal: null }));
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Starts the server and waits until it takes connections. */
  static async start(plan: PostgresPlan): Promise<Postmaster> {
    const postmaster = new Postmaster(launch(plan));
    await postmaster.#ready(plan);
    return postmaster;
  }

  /** Ends it: first politely to its clients, then at once, then by force. */
  async stop(): Promise<void> {
    for (const { signal, waitMs } of stopSteps) {
      this.#child.kill(signal);
      if (await settledWithin(this.ended, waitMs)) return;
    }
  }

  /** The file may still be that of an earlier server; it must not be removed, Postgres finds by it what that one left in memory. */
  #isReady(dataFolder: string): boolean {
    const file = readPostmasterFile(dataFolder);
    return file?.pid === this.pid && file.status === 'ready';
  }

  async #ready(plan: PostgresPlan): Promise<void> {
    const deadline = performance.now() + startTimeoutMs;
    while (!this.#isReady(plan.dataFolder)) {
      if (await settledWithin(this.ended, 10))
        throw new Error(`Postgres ended while starting; the end of ${plan.logFile}:\n${lastLines(plan.logFile)}`);
      if (performance.now() < deadline) continue;
      await this.stop();
      throw new Error(`Postgres was not ready within ${startTimeoutMs / 1_000} s; see ${plan.logFile}`);
    }
  }
}

/** Stops a server that is not our child. */
export async function stopLeftover(leftover: ProcessIdentity): Promise<void> {
  for (const { signal, waitMs } of stopSteps) {
    signalProcess(leftover, signal);
    if (await waitForEnd([leftover], waitMs)) return;
  }
}

/** Recovery after a crash may replay the log for a while. */
const startTimeoutMs = 300_000;

/** SIGINT: roll back what runs, write a checkpoint, end. SIGQUIT: end now, recover at the next start. */
const stopSteps = [
  { signal: 'SIGINT', waitMs: 30_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const;

const logBytesMax = 10 * 2 ** 20;

function launch(plan: PostgresPlan): ChildProcess {
  rotate(plan.logFile);
  const log = openSync(plan.logFile, 'a', 0o600);
  try {
    return spawn(plan.binaries.postgres, ['-D', plan.dataFolder, ...serverSettings(plan)], {
      ...plan.user,
      cwd: plan.dataFolder,
      env: plan.environment,
      stdio: ['ignore', log, log],
      // A session of its own: Ctrl-C reaches the whole terminal group, and Postgres stops last.
      detached: true,
    });
  } finally {
    closeSync(log);
  }
}

function rotate(logFile: string): void {
  if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > logBytesMax) renameSync(logFile, `${logFile}.1`);
}

function lastLines(file: string): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-12).join('\n');
}

async function settledWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const settled = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return settled;
}
