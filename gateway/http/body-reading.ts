import type { SvcError } from '../../proto/errors/svc-error.ts';
import { BodyBuffer } from './body-buffer.ts';
import type { BodyBudget } from './body-budget.ts';

/** A body that is on its way. */
export class BodyReading {
  readonly #limits: BodyLimits;
  readonly #events: BodyEvents;
  #buffer: BodyBuffer | null = null;
  #timer: NodeJS.Timeout | null = null;
  #isOver = false;

  constructor(limits: BodyLimits, events: BodyEvents) {
    this.#limits = limits;
    this.#events = events;
  }

  /** Takes the next piece, whose memory is the parser's and gone when this returns. */
  take(chunk: ArrayBuffer, isLast: boolean): void {
    if (this.#isOver) return;
    const { bodyBytesMax, bodyBudget, bodyTimeMs } = this.#limits;
    // Most bodies come in one piece: one copy, no buffer, no booking, no timer.
    if (isLast && this.#buffer === null && chunk.byteLength <= bodyBytesMax) return this.#finish(Buffer.from(new Uint8Array(chunk)));
    this.#buffer ??= new BodyBuffer(bodyBytesMax, bodyBudget);
    const failure = this.#buffer.add(new Uint8Array(chunk));
    if (failure !== null) return this.#finish(failure);
    if (isLast) return this.#finish(this.#buffer.finish());
    // The parser hangs up by itself on a body slower than 16 KiB a second; this bounds one that comes just faster.
    this.#timer ??= setTimeout(this.#events.onLate, bodyTimeMs);
  }

  stop(): void {
    this.#isOver = true;
    this.#buffer?.free();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #finish(outcome: Buffer | SvcError): void {
    this.stop();
    this.#events.onEnd(outcome);
  }
}

export interface BodyLimits {
  readonly bodyBytesMax: number;
  readonly bodyBudget: BodyBudget;
  readonly bodyTimeMs: number;
}

export interface BodyEvents {
  /** The body is whole, or there is none to be had. */
  readonly onEnd: (body: Buffer | SvcError) => void;
  /** It takes too long. */
  readonly onLate: () => void;
}
