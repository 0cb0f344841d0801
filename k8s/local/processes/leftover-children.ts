import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { identityOf, isAlive, signalProcess, waitForEnd, type ProcessIdentity } from './process-identity.ts';

/** The children of this supervisor, on file, so that the next one finds those that outlive a kill -9. */
export class ChildrenFile {
  readonly #file: string;
  #children: readonly ProcessIdentity[] = [];

  constructor(folder: string) {
    this.#file = path.join(folder, 'children.json');
  }

  /** Notes a child that was just started; the ended ones are forgotten on the way. */
  add(pid: number): void {
    const child = identityOf(pid);
    if (child === undefined) return;
    this.#children = [...this.#children.filter(isAlive), child];
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.#children), { mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
  }

  /** Ends what an earlier supervisor left behind (they are draining by themselves already: their channel is closed). Answers how many. */
  async stopLeftovers(): Promise<number> {
    const leftovers = this.#read().filter(isAlive);
    leftovers.forEach((child) => signalProcess(child, 'SIGTERM'));
    if (!(await waitForEnd(leftovers, politeMs))) leftovers.forEach((child) => signalProcess(child, 'SIGKILL'));
    await waitForEnd(leftovers, forcedMs);
    return leftovers.length;
  }

  /** To be called when every child has ended. */
  close(): void {
    rmSync(this.#file, { force: true });
  }

  #read(): readonly ProcessIdentity[] {
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8')) as ProcessIdentity[];
    } catch {
      return [];
    }
  }
}

const politeMs = 700;
const forcedMs = 5_000;
