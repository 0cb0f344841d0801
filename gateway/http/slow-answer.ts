import type { HttpResponse } from 'uWebSockets.js';

/**
 * A large body on its way out, in pieces as the client takes them. `end` would copy what the socket does not take into memory
 * that nobody can take back; this keeps the one buffer, and hangs up on a client that has not taken it all in time.
 */
export class SlowAnswer {
  readonly #response: HttpResponse;
  readonly #body: Buffer;
  readonly #onEnd: () => void;
  #timer: NodeJS.Timeout | null = null;
  #isOver = false;

  private constructor(response: HttpResponse, body: Buffer, onEnd: () => void) {
    this.#response = response;
    this.#body = body;
    this.#onEnd = onEnd;
  }

  /** Status and headers have been written; `onEnd` runs once, however it ends. */
  static send(response: HttpResponse, body: Buffer, onEnd: () => void): void {
    const answer = new SlowAnswer(response, body, onEnd);
    const [, isDone] = response.tryEnd(body, body.length);
    if (isDone) return answer.#end();
    response.onAborted(() => answer.#end());
    response.onWritable((offset) => answer.#goOn(offset));
    answer.#timer = setTimeout(() => answer.#hangUp(), timeMs);
  }

  #goOn(offset: number): boolean {
    const [isTaken, isDone] = this.#response.tryEnd(this.#body.subarray(offset), this.#body.length);
    if (isDone) this.#end();
    return isTaken;
  }

  #hangUp(): void {
    if (!this.#isOver) this.#response.close();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#onEnd();
  }
}

const timeMs = 60_000;
