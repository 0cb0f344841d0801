import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from '../../proto/process/config-error.ts';

/** A secret of 256 bits as 64 hexadecimal characters, made at the first start and kept in a file that only its owner reads. */
export function keptSecret(folder: string, name: string): string {
  const file = path.join(folder, name);
  const kept = read(file);
  if (kept !== undefined) return kept;
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
  try {
    // Whole or not at all, and never over an older one: a lost encryption key is lost data.
    linkSync(partial, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(partial, { force: true });
  }
  return read(file) ?? refuse(file);
}

function read(file: string): string | undefined {
  try {
    const value = readFileSync(file, 'utf8').trim();
    chmodSync(file, 0o600);
    return value.length >= 32 ? value : refuse(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function refuse(file: string): never {
  throw new ConfigError([`${file} is damaged: it should hold a secret of at least 32 characters; restore it, or remove it to have a new one made`]);
}
