/** Lets those who wait for work of this process know that there is some. */
export class Wakeups {
  readonly #waiting = new Set<() => void>();

  /** Wakes everybody, once what was done in this moment can have committed. */
  soon(): void {
    setTimeout(() => {
      for (const wake of this.#waiting) wake();
    }, commitMs);
  }

  /** Resolves when there may be work, after `timeoutMs` at the latest. */
  wait(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, timeoutMs);
      this.#waiting.add(wake);
    });
  }
}

/** A commit takes about so long. */
const commitMs = 20;
