import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { identityOf, type ProcessIdentity } from '../processes/process-identity.ts';

/** What `postmaster.pid` tells: who serves the data folder, and how far it has come. */
export interface PostmasterFile {
  readonly pid: number;
  readonly status: string;
}

export function readPostmasterFile(dataFolder: string): PostmasterFile | undefined {
  try {
    const lines = readFileSync(path.join(dataFolder, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    return Number.isInteger(pid) && pid > 0 ? { pid, status: (lines[7] ?? '').trim() } : undefined;
  } catch {
    return undefined;
  }
}

/** The server that runs on `dataFolder` now, left behind by an earlier start; undefined when there is none. */
export function leftoverPostmaster(dataFolder: string): ProcessIdentity | undefined {
  const file = readPostmasterFile(dataFolder);
  if (file === undefined) return undefined;
  const identity = identityOf(file.pid);
  // The number may belong to another program by now: a postmaster works in its data folder.
  return identity !== undefined && worksIn(file.pid, dataFolder) ? identity : undefined;
}

function worksIn(pid: number, folder: string): boolean {
  if (process.platform !== 'linux') return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
  } catch {
    return false;
  }
}
