/**
 * Tells a person's second Ctrl-C from the echo of the first: npm and timeout pass a signal on that the terminal has sent to the
 * whole group already, so a process often gets one signal twice within milliseconds.
 */
export class Impatience {
  #firstAt: number | undefined;

  /** To be asked at every signal; true when an earlier one has been there for a while. */
  isShown(): boolean {
    this.#firstAt ??= performance.now();
    return performance.now() - this.#firstAt > echoMs;
  }
}

const echoMs = 400;
