import { randomIds } from '../values/ids.ts';

/** Waiting times that double up to a limit, each drawn from its whole range (full jitter), so that many waiters spread out. */
export class Backoff {
  readonly #options: BackoffOptions;
  #failures = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** How often `next` was asked since the last `reset`. */
  get failures(): number {
    return this.#failures;
  }

  /** The milliseconds to wait before the next try. */
  next(): number {
    const { firstMs, maxMs, random = drawn } = this.#options;
    const ceiling = Math.min(maxMs, firstMs * 2 ** Math.min(this.#failures, 30));
    this.#failures += 1;
    return Math.round(firstMs / 2 + random() * (ceiling - firstMs / 2));
  }

  /** A try has held: the next failure starts from the beginning. */
  reset(): void {
    this.#failures = 0;
  }
}

export interface BackoffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
  /** From 0 up to 1; a test gives its own. */
  readonly random?: () => number;
}

function drawn(): number {
  return Number.parseInt(randomIds.request().slice(0, 8), 16) / 2 ** 32;
}
