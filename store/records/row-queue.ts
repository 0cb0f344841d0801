import { SvcError } from '../../proto/errors/svc-error.ts';

const waitingPerRowMax = 1_000;

/**
 * Writes of one record take turns inside a process: a batch holds at most one of them, and those behind a record that
 * somebody has locked wait here, not on a connection.
 */
export class RowQueue {
  readonly #tails = new Map<string, { tail: Promise<unknown>; length: number }>();

  /** Runs `work` after every earlier work of the same row; skips it when nobody wants it any more. */
  async run<Result>(row: string, isWanted: () => boolean, work: () => Promise<Result>): Promise<Result> {
    const queue = this.#tails.get(row);
    if (queue === undefined) return this.#follow(row, { tail: Promise.resolve(), length: 0 }, work);
    if (queue.length >= waitingPerRowMax) throw new SvcError('overloaded');
    return this.#follow(row, queue, () => (isWanted() ? work() : Promise.reject(new SvcError('timed_out'))));
  }

  #follow<Result>(row: string, queue: { tail: Promise<unknown>; length: number }, work: () => Promise<Result>): Promise<Result> {
    this.#tails.set(row, queue);
    queue.length += 1;
    const done = queue.tail.then(work);
    queue.tail = done
      .catch(() => undefined)
      .then(() => {
        queue.length -= 1;
        if (queue.length === 0) this.#tails.delete(row);
      });
    return done;
  }
}
