import { SvcError } from '../../proto/errors/svc-error.ts';

/**
 * First come, first served, for work that runs a few at a time. It stands before the threads because only here a caller who
 * has gone can leave the queue: aborting what a thread is at would cost the thread.
 */
export class WorkQueue {
  readonly #runningMax: number;
  readonly #waitingMax: number;
  readonly #waiting = new Set<Job>();
  #running = 0;
  #meanMs = meanMsAtFirst;
  #isClosed = false;
  #idle: (() => void) | null = null;

  constructor({ runningMax, waitingMax }: { readonly runningMax: number; readonly waitingMax: number }) {
    this.#runningMax = runningMax;
    this.#waitingMax = waitingMax;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get running(): number {
    return this.#running;
  }

  get capacity(): number {
    return this.#runningMax + this.#waitingMax;
  }

  /** Rejects with `overloaded` when the queue is full, `draining` when it is closed, `timed_out` when `signal` aborts before the turn comes. */
  run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    if (this.#isClosed) return Promise.reject(new SvcError('draining'));
    if (signal?.aborted) return Promise.reject(new SvcError('timed_out'));
    if (this.#running < this.#runningMax) return this.#start(work);
    if (this.#waiting.size >= this.#waitingMax) return Promise.reject(new SvcError('overloaded', { retryAfterS: this.#secondsUntilRoom() }));
    return this.#wait(work, signal);
  }

  /** Refuses what waits, resolves when nothing runs any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#waiting) job.drop(new SvcError('draining'));
    this.#waiting.clear();
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#idle = resolve));
  }

  #wait<Result>(work: () => Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(job);
        reject(new SvcError('timed_out'));
      };
      const job: Job = {
        start: () => {
          signal?.removeEventListener('abort', leave);
          this.#start(work).then(resolve, reject);
        },
        drop: reject,
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.add(job);
    });
  }

  async #start<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#running += 1;
    const startMs = performance.now();
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#meanMs += (performance.now() - startMs - this.#meanMs) * meanWeight;
      this.#startNext();
    }
  }

  #startNext(): void {
    const [job] = this.#waiting;
    if (job !== undefined) {
      this.#waiting.delete(job);
      job.start();
    } else if (this.#running === 0) {
      this.#idle?.();
    }
  }

  #secondsUntilRoom(): number {
    return Math.max(1, Math.ceil((this.#waiting.size * this.#meanMs) / this.#runningMax / 1000));
  }
}

interface Job {
  start(): void;
  drop(error: SvcError): void;
}

/** bcrypt at cost 10; the running mean knows better soon. */
const meanMsAtFirst = 60;
const meanWeight = 0.1;
