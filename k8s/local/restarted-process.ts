import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A program that is started again on demand: drained first, and only the last of several demands counts. */
export class RestartedProcess {
  readonly #program: string;
  readonly #words: readonly string[];
  #child: ChildProcess | undefined;
  #work: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(program: string, words: readonly string[]) {
    this.#program = program;
    this.#words = words;
  }

  restart(): void {
    clearTimeout(this.#timer);
    // One save of an editor touches several files.
    this.#timer = setTimeout(() => {
      this.#work = this.#work.then(() => this.#startAgain());
    }, settleMs);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#work;
    await this.#stop();
  }

  async #startAgain(): Promise<void> {
    await this.#stop();
    if (!this.#closed) this.#child = fork(this.#program, [...this.#words], { stdio: 'inherit' });
  }

  async #stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    if (child.connected) child.send({ kind: 'drain' });
    await ended;
  }
}

const settleMs = 150;
