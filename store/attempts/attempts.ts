import { createHash } from 'node:crypto';
import { fail } from '../../proto/errors/svc-error.ts';
import type { Database } from '../postgres/database.ts';
import { countAttempts, forgetAttempts, forgiveAttempts } from './attempts.sql.ts';

/** How often something may be tried by or at somebody. */
export interface AttemptLimit {
  /** What is tried, such as `password`. */
  readonly of: string;
  /** Who tries or is tried at. */
  readonly who: string;
  readonly max: number;
  readonly windowS: number;
}

/** Counts what is tried, across the cluster: before it is tried, so that many tries at once are all counted. */
export class Attempts {
  readonly #database: Pick<Database, 'query'>;

  constructor(database: Pick<Database, 'query'>) {
    this.#database = database;
  }

  /** Counts one attempt against each limit; fails with `too_many_attempts` where one is passed. */
  async require(limits: readonly AttemptLimit[]): Promise<void> {
    const waits = await Promise.all(limits.map((limit) => this.#count(limit)));
    const retryAfterS = Math.max(0, ...waits);
    if (retryAfterS > 0) fail('too_many_attempts', { retryAfterS });
  }

  /** Whether one more is within the limits; it is counted either way. */
  async allows(limits: readonly AttemptLimit[]): Promise<boolean> {
    const waits = await Promise.all(limits.map((limit) => this.#count(limit)));
    return waits.every((wait) => wait === 0);
  }

  /** Takes back what was counted once against these limits: the attempt was no guess. */
  async forgive(limits: readonly AttemptLimit[]): Promise<void> {
    await this.#database.query(forgiveAttempts, [limits.map(keyOf)]);
  }

  /** Takes up to `want` of what is left in the window; `resetS`: seconds until it ends. */
  async take(limit: AttemptLimit, want: number): Promise<{ readonly granted: number; readonly resetS: number }> {
    const [[count, left] = []] = await this.#database.query(countAttempts, [keyOf(limit), String(limit.windowS), String(want)]);
    const before = Number(count) - want;
    return { granted: Math.min(want, Math.max(0, limit.max - before)), resetS: Math.max(1, Number(left)) };
  }

  /** Seconds to wait; 0: within the limit. */
  async #count(limit: AttemptLimit): Promise<number> {
    const [[count, left] = []] = await this.#database.query(countAttempts, [keyOf(limit), String(limit.windowS), '1']);
    return Number(count) > limit.max ? Math.max(1, Number(left)) : 0;
  }
}

/** A digest, so that no address or name stands in the table. */
function keyOf({ of, who, windowS }: AttemptLimit): string {
  return createHash('sha256')
    .update(JSON.stringify([of, who, windowS]))
    .digest('base64url');
}

/** Forgets some of the windows that are over; answers how many. */
export async function forgetOldAttempts(database: Pick<Database, 'query'>): Promise<number> {
  return (await database.query(forgetAttempts, [])).length;
}
