import type { Log } from '../../proto/process/log.ts';
import { forgetOldKeys } from '../idempotency/once.ts';
import { StaleCatalogue } from '../postgres/stale-catalogue.ts';
import type { RecordDeps } from '../records/deps.ts';
import { forgetFinished } from './forget-finished.ts';
import { DocumentRefresh } from '../records/refresh-documents.ts';

/** A step of the refresh is followed by a pause, so that it takes a small share of the database. */
const betweenStepsMs = 10;
const documentsEveryMs = 5_000;
const keysEveryMs = 60_000;
const finishedEveryMs = 60_000;

/** What has to be done now and then, in every store: made so that several may do it at once. */
export class Housekeeper implements AsyncDisposable {
  readonly #deps: RecordDeps;
  readonly #log: Pick<Log, 'warn'>;
  readonly #documents: DocumentRefresh;
  readonly #timers = new Set<NodeJS.Timeout>();
  #underWay: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(deps: RecordDeps, log: Pick<Log, 'warn'>) {
    this.#deps = deps;
    this.#log = log;
    this.#documents = new DocumentRefresh(deps);
  }

  /** Begins the rounds. */
  start(): void {
    this.#in(documentsEveryMs, () => this.#refreshDocuments());
    this.#in(keysEveryMs, () => this.#forgetKeys());
    this.#in(finishedEveryMs, () => this.#forgetFinished());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#underWay;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #refreshDocuments(): Promise<void> {
    const isMore = await this.#attempt(async () => (await this.#documents.step()) === 'more');
    this.#in(isMore ? betweenStepsMs : documentsEveryMs, () => this.#refreshDocuments());
  }

  async #forgetKeys(): Promise<void> {
    const isMore = await this.#attempt(async () => (await forgetOldKeys(this.#deps.database)) > 0);
    this.#in(isMore ? betweenStepsMs : keysEveryMs, () => this.#forgetKeys());
  }

  async #forgetFinished(): Promise<void> {
    const isMore = await this.#attempt(async () => (await forgetFinished(this.#deps.database)) > 0);
    this.#in(isMore ? betweenStepsMs : finishedEveryMs, () => this.#forgetFinished());
  }

  async #attempt(work: () => Promise<boolean>): Promise<boolean> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StaleCatalogue)) this.#log.warn({ err: error }, 'a round of housekeeping failed; it will be tried again');
      return false;
    }
  }

  #in(delayMs: number, round: () => Promise<void>): void {
    if (this.#isClosed) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#underWay = round();
    }, delayMs);
    timer.unref();
    this.#timers.add(timer);
  }
}
