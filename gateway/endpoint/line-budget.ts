/** Bounds log lines to so many a second: past that they are only counted, and the count stands in the next line. */
export class LineBudget {
  #windowStart = 0;
  #taken = 0;
  #suppressed = 0;

  /** Whether a line may be written now. */
  take(): boolean {
    const now = performance.now();
    if (now - this.#windowStart >= 1000) {
      this.#windowStart = now;
      this.#taken = 0;
    }
    this.#taken += 1;
    if (this.#taken <= linesPerSecond) return true;
    this.#suppressed += 1;
    return false;
  }

  /** Lines left out since this was last asked. */
  suppressed(): number {
    const count = this.#suppressed;
    this.#suppressed = 0;
    return count;
  }
}

const linesPerSecond = 20;
