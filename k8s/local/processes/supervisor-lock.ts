import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from '../../../proto/process/config-error.ts';
import { identityOf, isAlive, type ProcessIdentity } from './process-identity.ts';

/**
 * One supervisor per data folder. Each writes a file of its own name and then looks for others: a file of a dead process counts for
 * nothing, so a kill -9 leaves no lock behind, and as nobody ever takes over another's file there is no race about who may.
 * Two that start at the same moment see each other and both step back for a random while.
 */
export class SupervisorLock {
  readonly #file: string;

  private constructor(file: string) {
    this.#file = file;
  }

  static async take(folder: string): Promise<SupervisorLock> {
    const self = identityOf(process.pid) ?? { pid: process.pid, started: '' };
    for (let attempt = 1; ; attempt += 1) {
      const lock = new SupervisorLock(path.join(folder, `supervisor-${process.pid}.lock`));
      writeFileSync(lock.#file, JSON.stringify(self), { mode: 0o600 });
      const holder = otherHolder(folder, self);
      if (holder === undefined) return lock;
      lock.close();
      if (attempt === attempts) throw new ConfigError([`SVC_DATA_DIR: ${folder} is in use by another svc (process ${holder.pid})`]);
      // The number of this process differs from the rival's, so the waits do too.
      await new Promise((resolve) => setTimeout(resolve, 50 + (process.pid % 97) * attempt));
    }
  }

  close(): void {
    rmSync(this.#file, { force: true });
  }
}

const attempts = 3;
const lockFile = /^supervisor-\d+\.lock$/;

function otherHolder(folder: string, self: ProcessIdentity): ProcessIdentity | undefined {
  for (const name of readdirSync(folder).filter((entry) => lockFile.test(entry))) {
    const holder = read(path.join(folder, name));
    if (holder?.pid === self.pid && holder.started === self.started) continue;
    if (holder !== undefined && isAlive(holder)) return holder;
    if (holder !== undefined) rmSync(path.join(folder, name), { force: true });
  }
  return undefined;
}

/** A file that is being written, or was cut off by a crash of the machine, holds nothing readable. */
function read(file: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ProcessIdentity;
  } catch {
    return undefined;
  }
}
