import type { Ids } from '../../proto/values/ids.ts';
import type { Database } from '../postgres/database.ts';
import type { Transaction } from '../postgres/transaction.ts';
import type { Seal } from '../sealing/seal.ts';
import { claimJobs, finishJob, forgetJobs, holdLeased, insertJob, postponeJob, returnJobs } from './jobs.sql.ts';
import { Wakeups } from './wakeups.ts';

export type QueueName = 'mail';

/** Work to be done once the transaction that asks for it has committed. */
export interface NewJob {
  readonly queue: QueueName;
  /** What it is, for people; holds no secret. */
  readonly title: string;
  readonly payload: object;
}

export interface ClaimedJob {
  readonly id: string;
  readonly lease: string;
  readonly queue: string;
  readonly payload: unknown;
  readonly attempt: number;
}

export type JobOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'later'; readonly error: string; readonly retryAfterS: number };

export interface Claim {
  readonly queues: readonly string[];
  readonly max: number;
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** Longer than a worker may take for a job; then somebody else may have it. */
const leaseText = '2 minutes';
const pollMs = 500;
/** Seconds until the next attempt, by attempts made; after the last the job has failed. */
const delaysS: readonly number[] = [5, 30, 120, 600, 3_600, 14_400];

/** The durable queues: a job is there when the transaction that asked for it has committed, and is done at least once. */
export class Jobs {
  readonly database: Database;
  readonly #seal: Seal;
  readonly #ids: Ids;
  readonly #wakeups = new Wakeups();

  constructor(database: Database, seal: Seal, ids: Ids) {
    this.database = database;
    this.#seal = seal;
    this.#ids = ids;
  }

  async add(tx: Transaction, { queue, title, payload }: NewJob): Promise<void> {
    const id = this.#ids.record();
    await tx.execute(insertJob, [id, queue, title, this.#seal.seal(JSON.stringify(payload), contextOf(id)).toString('hex')]);
    // It can be seen once the caller has committed; until then the poll finds nothing, and a moment later it does.
    this.#wakeups.soon();
  }

  /** Jobs that are due, leased to the caller; waits up to `waitMs` for the first. A caller who has gone gets none. */
  async claim(input: Claim): Promise<readonly ClaimedJob[]> {
    const until = performance.now() + input.waitMs;
    for (;;) {
      if (input.signal.aborted) return [];
      const claimed = await this.#claimNow(input);
      if (input.signal.aborted) return this.#giveBack(claimed);
      const leftMs = until - performance.now();
      if (claimed.length > 0 || leftMs <= 0) return claimed;
      await this.#wakeups.wait(Math.min(pollMs, leftMs));
    }
  }

  /** Takes down how a job went; false where its lease has passed to somebody else. */
  async report(id: string, lease: string, outcome: JobOutcome): Promise<boolean> {
    const options = { label: 'jobs.report', lockTimeoutMs: 5_000, statementTimeoutMs: 5_000 };
    return this.database.transaction(options, async (tx) => {
      const [row] = await tx.execute(holdLeased, [id, lease]);
      if (row === undefined) return false;
      await settle(tx, id, Number(row[0]), outcome);
      return true;
    });
  }

  async #giveBack([first]: readonly ClaimedJob[]): Promise<readonly ClaimedJob[]> {
    if (first !== undefined) await this.database.query(returnJobs, [first.lease]);
    return [];
  }

  async #claimNow({ queues, max }: Pick<Claim, 'queues' | 'max'>): Promise<readonly ClaimedJob[]> {
    const lease = this.#ids.short();
    const rows = await this.database.query(claimJobs, [queues, max, lease, leaseText]);
    const jobs = await Promise.all(
      rows.map(([id, queue, sealed, attempt]) => this.#opened({ id: id ?? '', lease, queue: queue ?? '', attempt: Number(attempt) }, sealed ?? '')),
    );
    return jobs.filter((job) => job !== undefined);
  }

  /** One that cannot be opened has failed; it keeps nobody from the others. */
  async #opened(job: Omit<ClaimedJob, 'payload'>, sealed: string): Promise<ClaimedJob | undefined> {
    const text = this.#seal.open(Buffer.from(sealed, 'hex'), contextOf(job.id));
    if (text !== undefined) return { ...job, payload: JSON.parse(text) as unknown };
    await this.report(job.id, job.lease, { kind: 'failed', error: 'It was sealed under another key, or has been changed.' });
    return undefined;
  }
}

async function settle(tx: Transaction, id: string, attempts: number, outcome: JobOutcome): Promise<void> {
  if (outcome.kind === 'done') return void (await tx.execute(finishJob, [id, 'done', null]));
  const error = outcome.error.slice(0, errorMax);
  const delayS = delaysS[attempts - 1];
  if (outcome.kind === 'failed' || delayS === undefined) return void (await tx.execute(finishJob, [id, 'failed', error]));
  await tx.execute(postponeJob, [id, error, String(Math.max(delayS, outcome.retryAfterS))]);
}

const errorMax = 500;

function contextOf(id: string): string {
  return `job ${id}`;
}

/** Forgets some of those that ended long ago; answers how many. */
export async function forgetOldJobs(database: Pick<Database, 'query'>): Promise<number> {
  return (await database.query(forgetJobs, [])).length;
}
