import { chmod, lstat, mkdir, stat, unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { ConfigError } from '../process/config-error.ts';

/** Makes way for a socket at `file`: a folder for its owner alone, and nothing in the place. Throws when another process listens there. */
export async function prepareSocket(file: string): Promise<void> {
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (((await stat(folder)).mode & 0o077) !== 0)
    throw new ConfigError([`SVC_RPC_LISTEN: the folder ${folder} is open to others; it should have mode 0700`]);
  const found = await lstat(file).catch(missing);
  if (found === null) return;
  if (!found.isSocket()) throw new ConfigError([`SVC_RPC_LISTEN: ${file} is in the way, and it is no socket`]);
  if (await isAnswered(file)) throw new Error(`another process listens on ${file}`);
  await unlink(file).catch(missing);
}

/** The folder keeps others out while the socket is being made, this afterwards as well. */
export async function protectSocket(file: string): Promise<void> {
  await chmod(file, 0o600);
}

function isAnswered(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(file);
    probe.setTimeout(probeMs, () => settle(true));
    probe.once('connect', () => settle(true));
    probe.once('error', () => settle(false));
    function settle(isAlive: boolean): void {
      probe.destroy();
      resolve(isAlive);
    }
  });
}

const probeMs = 1000;

function missing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
