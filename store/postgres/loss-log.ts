import type { Log } from '../../proto/process/log.ts';
import type { Clock } from '../../proto/values/time.ts';

/** Connections break together when the server goes; one line tells it. */
const quietMs = 1_000;

/** Logs lost connections, the first of each second. */
export class LossLog {
  readonly #log: Pick<Log, 'warn'>;
  readonly #clock: Clock;
  #toldAt = 0;

  constructor(log: Pick<Log, 'warn'>, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  tell(error: Error): void {
    const now = this.#clock.now();
    if (now - this.#toldAt < quietMs) return;
    this.#toldAt = now;
    this.#log.warn({ err: error.message }, 'connections to Postgres broke; they will be made again');
  }
}
