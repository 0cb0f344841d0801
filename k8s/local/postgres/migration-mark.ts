import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compiledRoot } from '../roles/programs.ts';

/**
 * Remembers beside the embedded database which set of migrations it has had, so that a start with the same set need not run a
 * process to find that out (a fifth of the start). The mark lies and moves with the data; it is a hint for our own server only.
 */
export class MigrationMark {
  readonly #file: string;
  readonly #wanted = migrationsHash();

  constructor(folder: string) {
    this.#file = path.join(folder, 'migrated');
  }

  isCurrent(): boolean {
    try {
      return readFileSync(this.#file, 'utf8') === this.#wanted;
    } catch {
      return false;
    }
  }

  set(): void {
    writeFileSync(this.#file, this.#wanted, { mode: 0o600 });
  }

  clear(): void {
    rmSync(this.#file, { force: true });
  }
}

function migrationsHash(): string {
  const folder = path.join(compiledRoot, '..', 'store', 'migrations');
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).toSorted())
    if (name.endsWith('.sql')) hash.update(`${name}\0`).update(readFileSync(path.join(folder, name)));
  return hash.digest('hex');
}
