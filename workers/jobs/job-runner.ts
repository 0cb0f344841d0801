import { setTimeout as sleep } from 'node:timers/promises';
import { SvcError } from '../../proto/errors/svc-error.ts';
import { Backoff } from '../../proto/process/backoff.ts';
import type { Log } from '../../proto/process/log.ts';
import type { Ids } from '../../proto/values/ids.ts';
import type { JobOutcome, JobsClient, LeasedJob } from '../clients/jobs.ts';

/** Does a job of one queue; whatever it throws, the job is tried again. */
export type JobHandler = (job: LeasedJob, signal: AbortSignal) => Promise<JobOutcome>;

export interface JobRunnerDeps {
  readonly jobs: JobsClient;
  readonly handlers: Readonly<Record<string, JobHandler>>;
  readonly ids: Pick<Ids, 'request'>;
  readonly log: Pick<Log, 'warn' | 'error'>;
}

const atOnceMax = 8;
const waitMs = 10_000;
/** Well within the lease: a job that takes longer is given up, and tried again. */
const jobTimeoutMs = 60_000;

/** Claims jobs from the stores and does them, some at a time, until it is closed; what it has begun it finishes. */
export class JobRunner implements AsyncDisposable {
  readonly #deps: JobRunnerDeps;
  readonly #running = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  #loop: Promise<void> = Promise.resolve();

  constructor(deps: JobRunnerDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#loop = this.#claimOnAndOn();
  }

  /** Claims no more, and waits for what runs. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#loop;
    await Promise.allSettled(this.#running);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #claimOnAndOn(): Promise<void> {
    const backoff = new Backoff({ firstMs: 100, maxMs: 5_000 });
    while (!this.#closing.signal.aborted) {
      try {
        const free = atOnceMax - this.#running.size;
        const claimed = await this.#claim(free);
        backoff.reset();
        for (const job of claimed) this.#begin(job);
        if (this.#running.size >= atOnceMax) await Promise.race(this.#running);
      } catch (error) {
        // Stores come and go; they are asked again.
        if (this.#closing.signal.aborted) return;
        if (!(error instanceof SvcError)) this.#deps.log.error({ err: error }, 'jobs could not be claimed');
        await sleep(backoff.next(), undefined, { ref: false });
      }
    }
  }

  #claim(max: number): Promise<readonly LeasedJob[]> {
    const { jobs, handlers, ids } = this.#deps;
    return jobs.claim({ queues: Object.keys(handlers), max, waitMs, requestId: ids.request(), signal: this.#closing.signal });
  }

  #begin(job: LeasedJob): void {
    const run = this.#run(job).finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  async #run(job: LeasedJob): Promise<void> {
    const requestId = this.#deps.ids.request();
    try {
      const outcome = await this.#outcomeOf(job, requestId);
      if (outcome.kind !== 'done')
        this.#deps.log.warn({ requestId, job: job.id, queue: job.queue, outcome: outcome.kind, reason: outcome.error }, 'a job did not succeed');
      await this.#deps.jobs.report(job, outcome, requestId);
    } catch (error) {
      // Not reported, its lease runs out and somebody does it again: at least once.
      this.#deps.log.warn({ err: error, requestId, job: job.id }, 'the end of a job could not be reported');
    }
  }

  async #outcomeOf(job: LeasedJob, requestId: string): Promise<JobOutcome> {
    const handler = this.#deps.handlers[job.queue];
    if (handler === undefined) return { kind: 'later', error: `no worker knows the queue ${job.queue}`, retryAfterS: 0 };
    try {
      return await handler(job, AbortSignal.timeout(jobTimeoutMs));
    } catch (error) {
      this.#deps.log.error({ err: error, requestId, job: job.id, queue: job.queue }, 'a job failed in a way that it should not');
      return { kind: 'later', error: 'The worker failed; its log says more.', retryAfterS: 0 };
    }
  }
}
