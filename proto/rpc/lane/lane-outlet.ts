import type { LaneWriter } from './lane-writer.ts';
import { batchBytesMax, batchFramesMax } from '../lane-limits.ts';

/**
 * One direction of a lane on its sending side. What is pushed during one turn of the event loop leaves as one batch at its
 * end (`setImmediate`); waiting longer for larger batches was measured and lost a fifth to a third. Two things hold batches
 * back: the stream is full (`write` said false), or more bytes are under way than the receiver has taken over. Meanwhile frames
 * stay here, and the owner bounds them by `queuedBytes`.
 */
export class LaneOutlet<Frame extends OutletFrame> {
  readonly #options: OutletOptions<Frame>;
  readonly #flush = (): void => this.#send();
  #queue: (Frame | undefined)[] = [];
  /** Frames before this index have left. */
  #head = 0;
  #queuedBytes = 0;
  #unansweredBytes = 0;
  #takenBytes = 0;
  #isScheduled = false;
  #isFull = false;
  #isClosed = false;
  #hasNews = false;

  constructor(options: OutletOptions<Frame>) {
    this.#options = options;
  }

  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  get queuedFrames(): number {
    return this.#queue.length - this.#head;
  }

  push(frame: Frame): void {
    this.#queue.push(frame);
    this.#queuedBytes += frame.weight;
    this.#schedule();
  }

  /** Something else than frames is to be said (cancellations, draining). */
  nudge(): void {
    this.#hasNews = true;
    this.#schedule();
  }

  /** The other side's bytes that we have taken over; they are told with the next batch, alone only when they are many. */
  took(bytes: number): void {
    this.#takenBytes += bytes;
    if (this.#takenBytes >= this.#options.windowBytes / 32) this.nudge();
  }

  /** The other side has taken over so many of our bytes. */
  credit(bytes: number): void {
    this.#unansweredBytes = Math.max(0, this.#unansweredBytes - bytes);
    if (this.queuedFrames > 0) this.#schedule();
  }

  /** The stream takes more. */
  drained(): void {
    this.#isFull = false;
    this.#schedule();
  }

  close(): void {
    this.#isClosed = true;
    this.#queue = [];
    this.#head = 0;
    this.#queuedBytes = 0;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isClosed) return;
    this.#isScheduled = true;
    setImmediate(this.#flush);
  }

  #send(): void {
    this.#isScheduled = false;
    while (!this.#isClosed && !this.#isFull) {
      const mayCarryFrames = this.#unansweredBytes < this.#options.windowBytes && this.queuedFrames > 0;
      if (!mayCarryFrames && !this.#hasNews) break;
      this.#sendBatch(mayCarryFrames);
    }
    this.#options.onSent?.();
  }

  #sendBatch(withFrames: boolean): void {
    const { writer, encodeNews, write } = this.#options;
    if (withFrames) this.#encodeFrames();
    this.#hasNews = false;
    encodeNews(writer, this.#takenBytes);
    this.#takenBytes = 0;
    if (writer.length === 0) return;
    const batch = writer.finish();
    this.#unansweredBytes += batch.length;
    this.#isFull = !write(batch);
  }

  #encodeFrames(): void {
    const { writer, encode } = this.#options;
    const queue = this.#queue;
    let count = 0;
    while (this.#head < queue.length && count < batchFramesMax && writer.length < batchBytesMax) {
      const frame = queue[this.#head];
      if (frame === undefined || (count > 0 && writer.length + frame.weight > batchBytesMax)) break;
      queue[this.#head] = undefined;
      this.#head += 1;
      count += 1;
      this.#queuedBytes -= frame.weight;
      if (!frame.isDropped) encode(writer, frame);
    }
    this.#compact();
  }

  #compact(): void {
    if (this.#head === this.#queue.length) this.#queue = [];
    else if (this.#head >= compactAt) this.#queue = this.#queue.slice(this.#head);
    else return;
    this.#head = 0;
  }
}

/** What the outlet needs to know of a frame. */
export interface OutletFrame {
  /** About its bytes on the wire. */
  readonly weight: number;
  /** True when nobody wants it any more. */
  readonly isDropped: boolean;
}

export interface OutletOptions<Frame> {
  readonly writer: LaneWriter;
  readonly windowBytes: number;
  readonly encode: (writer: LaneWriter, frame: Frame) => void;
  /** Writes what is said once per batch. */
  readonly encodeNews: (writer: LaneWriter, takenBytes: number) => void;
  /** False when the stream is full until `drained`. */
  readonly write: (batch: Buffer) => boolean;
  /** The turn's batches have left, or as many as could. */
  readonly onSent?: () => void;
}

const compactAt = 1024;
