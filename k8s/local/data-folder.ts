import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConfigError } from '../../proto/process/config-error.ts';
import { canReach, postgresUser } from './postgres/postgres-user.ts';

/** The folder that holds everything an installation keeps on this machine: data, secrets, logs. */
export interface DataFolder {
  readonly path: string;
  readonly secrets: string;
  readonly logs: string;
}

/** Opens `wanted` for this user alone, making it when there is none. */
export function openDataFolder(wanted: string): DataFolder {
  const folder = ownFolder(path.resolve(wanted));
  return { path: folder, secrets: ownFolder(path.join(folder, 'secrets')), logs: ownFolder(path.join(folder, 'logs')) };
}

/** A folder for sockets, of this start only. */
export interface RuntimeFolder {
  readonly path: string;
  /** For the sockets of the roles, closed to everybody else. */
  readonly rpc: string;
  close(): void;
}

/** Makes the runtime folder anew: inside the data folder, or in the system's temp folder under a random name where that path is too long. */
export function openRuntimeFolder({ path: folder }: DataFolder): RuntimeFolder {
  const inside = path.join(folder, 'run');
  const note = path.join(folder, 'runtime-folder');
  forgetOldRuntime(note);
  rmSync(inside, { recursive: true, force: true });
  const user = postgresUser();
  const fits = Buffer.byteLength(inside) <= runtimePathMax && (user === undefined || canReach(user, folder));
  const runtime = fits ? ownFolder(inside) : mkdtempSync(path.join(tmpdir(), 'svc-'));
  if (!fits) writeFileSync(note, runtime, { mode: 0o600 });
  const rpc = ownFolder(path.join(runtime, 'rpc'));
  return { path: runtime, rpc, close: () => [runtime, note].forEach((name) => rmSync(name, { recursive: true, force: true })) };
}

/** The folder at `wanted`, made if need be, closed to everybody else. */
function ownFolder(wanted: string): string {
  try {
    mkdirSync(wanted, { recursive: true, mode: 0o700 });
    const { uid, mode } = statSync(wanted);
    if (uid !== process.getuid?.()) throw new ConfigError([`SVC_DATA_DIR: ${wanted} belongs to another user`]);
    // Group "walk through" is what the server's user needs under root (see placement.ts); anything more is taken away.
    if ((mode & 0o067) !== 0) chmodSync(wanted, 0o700);
    return realpathSync(wanted);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError([`SVC_DATA_DIR: ${wanted} cannot be used (${(error as Error).message})`]);
  }
}

/** The address of a unix socket holds 107 bytes; some systems take 103. The longest name in the folder has 28. */
const runtimePathMax = 70;

/** After a kill -9 the folder of the last start still lies in the system's temp folder: remove it, if it is what we made. */
function forgetOldRuntime(note: string): void {
  try {
    const old = readFileSync(note, 'utf8');
    if (path.dirname(old) === tmpdir() && path.basename(old).startsWith('svc-') && statSync(old).uid === process.getuid?.())
      rmSync(old, { recursive: true });
    rmSync(note);
  } catch {
    // There is none.
  }
}
