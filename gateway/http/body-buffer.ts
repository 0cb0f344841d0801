import { SvcError } from '../../proto/errors/svc-error.ts';
import type { BodyBudget } from './body-budget.ts';

/** Gathers one body: grows by doubling, so that a client that drips single bytes costs no more than one that does not. */
export class BodyBuffer {
  readonly #limit: number;
  readonly #budget: BodyBudget;
  #bytes = empty;
  #length = 0;
  #booked = 0;

  constructor(limit: number, budget: BodyBudget) {
    this.#limit = limit;
    this.#budget = budget;
  }

  /** Copies `chunk` (the parser takes its memory back); returns the failure where the body is too large or there is no room for it. */
  add(chunk: Uint8Array): SvcError | null {
    const length = this.#length + chunk.length;
    if (length > this.#limit) return new SvcError('body_too_large', { values: { limit: this.#limit } });
    if (length > this.#bytes.length && !this.#grow(length)) return new SvcError('overloaded');
    this.#bytes.set(chunk, this.#length);
    this.#length = length;
    return null;
  }

  /** The whole body; the buffer is empty afterwards. */
  finish(): Buffer {
    const body = this.#bytes.subarray(0, this.#length);
    this.free();
    return body;
  }

  free(): void {
    this.#budget.giveBack(this.#booked);
    this.#booked = 0;
    this.#bytes = empty;
    this.#length = 0;
  }

  #grow(length: number): boolean {
    const capacity = Math.min(this.#limit, Math.max(length, 2 * this.#bytes.length, firstBytes));
    if (!this.#budget.take(capacity - this.#booked)) return false;
    this.#booked = capacity;
    const larger = Buffer.allocUnsafeSlow(capacity);
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
    return true;
  }
}

const firstBytes = 16 * 1024;
const empty = Buffer.alloc(0);
