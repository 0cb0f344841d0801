/**
 * The rest of a body that nobody wants, read and thrown away before the connection closes. Closing at once would reset the
 * connection under a client that is still sending, and most clients then report a broken pipe and never see the answer.
 */
export class Lingering {
  readonly #events: LingerEvents;
  readonly #quiet: NodeJS.Timeout;
  readonly #until: number;
  #bytes = 0;

  constructor(timeMs: number, events: LingerEvents) {
    this.#events = events;
    this.#until = performance.now() + timeMs;
    this.#quiet = setTimeout(events.onEnd, quietMs);
  }

  take(bytes: number, isLast: boolean): void {
    this.#bytes += bytes;
    if (isLast || this.#bytes > lingerBytesMax || performance.now() > this.#until) return this.#events.onEnd();
    this.#quiet.refresh();
  }

  stop(): void {
    clearTimeout(this.#quiet);
  }
}

export interface LingerEvents {
  /** The body is over, or its sender has gone quiet, or it is too much. */
  readonly onEnd: () => void;
}

/** Longer bodies are cut off. */
export const lingerBytesMax = 128 * 1024 * 1024;

/** A client that has sent nothing for so long waits for the answer. */
const quietMs = 500;
