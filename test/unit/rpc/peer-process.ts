import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A service in another process (see `lane-peer.ts`). */
export class PeerProcess implements AsyncDisposable {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(address: string): Promise<PeerProcess> {
    const child = fork(fileURLToPath(new URL('./lane-peer.js', import.meta.url)), [address]);
    await once(child, 'message');
    return new PeerProcess(child);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  /** Lets it finish what it has and end; resolves when it has. */
  async drain(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.send('drain');
    await ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}
