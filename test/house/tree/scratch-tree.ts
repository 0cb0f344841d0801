import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A small project in a folder of its own outside the repository, gone when disposed. */
export class ScratchTree implements Disposable {
  readonly root: string;

  constructor(files: Readonly<Record<string, string>>) {
    this.root = mkdtempSync(path.join(os.tmpdir(), 'svc-house-'));
    for (const [file, text] of Object.entries(files)) this.write(file, text);
  }

  write(file: string, text: string): void {
    const target = path.join(this.root, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }

  /** Makes `name` lead to a folder that is somewhere else. */
  link(name: string, target: string): void {
    symlinkSync(target, path.join(this.root, name), 'dir');
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
