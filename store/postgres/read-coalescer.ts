import { SvcError } from '../../proto/errors/svc-error.ts';
import type { Connection, TextRow } from './connection.ts';
import { isLockTimeout, sqlState, sqlStates } from './errors.ts';
import type { Statement } from './sql.ts';
import { StaleCatalogue } from './stale-catalogue.ts';

/**
 * A read by key that many callers share. The statement takes the catalogue version and an array of keys, and answers
 * rows of (catalogue version, key, columns...): at least one row, its key null where nothing was found.
 */
export interface ReadShape {
  readonly statement: Statement;
  /** The catalogue version that the statement was compiled for. */
  readonly version: string;
}

/** Runs a statement where waiting for a lock keeps nobody else waiting. */
export type PatientQuery = (statement: Statement, values: readonly unknown[]) => Promise<readonly TextRow[]>;

type Waiter = { readonly resolve: (row: TextRow | undefined) => void; readonly reject: (error: unknown) => void };
type Pending = Map<string, Waiter[]>;

const keysPerBatchMax = 512;
/** A share of fewer keys is not worth a statement of its own. */
const sharedKeysMin = 8;
const pendingKeysMax = 20_000;

/**
 * Makes one statement of the reads of one shape that arrive together. A batch leaves the moment a connection is free,
 * so batches grow with the load and a lone read waits for nobody.
 */
export class ReadCoalescer {
  readonly #connections: readonly Connection[];
  readonly #onBatch: (size: number) => void;
  readonly #patiently: PatientQuery;
  readonly #pending = new Map<ReadShape, Pending>();
  /** Shapes whose table somebody has locked: their reads wait here for the patient one under way. */
  readonly #held = new Set<ReadShape>();
  #pendingKeys = 0;
  #isScheduled = false;

  constructor(connections: readonly Connection[], patiently: PatientQuery, onBatch: (size: number) => void) {
    this.#connections = connections;
    this.#patiently = patiently;
    this.#onBatch = onBatch;
  }

  /** The row of `key`, undefined where there is none; rejects with StaleCatalogue when the schema has moved. Keys hold [A-Za-z0-9_-] only. */
  load(shape: ReadShape, key: string): Promise<TextRow | undefined> {
    if (this.#pendingKeys >= pendingKeysMax) return Promise.reject(new SvcError('overloaded'));
    return new Promise((resolve, reject) => {
      this.#add(shape, key, { resolve, reject });
      this.#schedule();
    });
  }

  #add(shape: ReadShape, key: string, waiter: Waiter): void {
    const pending = this.#pending.get(shape) ?? new Map<string, Waiter[]>();
    this.#pending.set(shape, pending);
    const waiters = pending.get(key);
    if (waiters !== undefined) {
      waiters.push(waiter);
      return;
    }
    pending.set(key, [waiter]);
    this.#pendingKeys += 1;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    const free = this.#connections.filter((connection) => connection.outstanding === 0 && connection.isUp);
    free.forEach((connection, index) => {
      const shape = this.#nextShape();
      if (shape !== undefined) this.#send(connection, shape, free.length - index);
    });
    if (this.#connections.every((connection) => !connection.isUp)) this.#failAll();
  }

  #nextShape(): ReadShape | undefined {
    for (const shape of this.#pending.keys()) if (!this.#held.has(shape)) return shape;
    return undefined;
  }

  #send(connection: Connection, shape: ReadShape, ways: number): void {
    const batch = this.#take(shape, ways);
    this.#onBatch(batch.size);
    connection
      .execute(shape.statement, valuesOf(shape, batch))
      .then(
        (rows) => settle(shape, batch, rows),
        (error: unknown) => (sqlState(error) === sqlStates.lockNotAvailable ? this.#sendPatiently(shape, batch) : rejectAll(batch, error)),
      )
      .finally(() => this.#flush());
  }

  #sendPatiently(shape: ReadShape, batch: Pending): void {
    this.#held.add(shape);
    this.#patiently(shape.statement, valuesOf(shape, batch))
      .then(
        (rows) => settle(shape, batch, rows),
        (error: unknown) => rejectAll(batch, isLockTimeout(error) ? new SvcError('timed_out', {}, error) : error),
      )
      .finally(() => {
        this.#held.delete(shape);
        this.#flush();
      });
  }

  /** What waits is shared out over the free connections: one large batch would have every caller, and every process, wait in step. */
  #take(shape: ReadShape, ways: number): Pending {
    const pending = this.#pending.get(shape) ?? new Map<string, Waiter[]>();
    this.#pending.delete(shape);
    const share = Math.max(Math.ceil(pending.size / ways), sharedKeysMin);
    const batch = takeFirst(pending, Math.min(share, keysPerBatchMax));
    if (pending.size > 0) this.#pending.set(shape, pending);
    this.#pendingKeys -= batch.size;
    return batch;
  }

  #failAll(): void {
    const all = [...this.#pending.values()];
    this.#pending.clear();
    this.#pendingKeys = 0;
    for (const pending of all) rejectAll(pending, new SvcError('unavailable'));
  }
}

function valuesOf(shape: ReadShape, batch: Pending): readonly string[] {
  return [shape.version, `{${[...batch.keys()].join(',')}}`];
}

function takeFirst(pending: Pending, count: number): Pending {
  if (pending.size <= count) {
    const all = new Map(pending);
    pending.clear();
    return all;
  }
  const taken: Pending = new Map();
  for (const [key, waiters] of pending) {
    if (taken.size === count) break;
    taken.set(key, waiters);
    pending.delete(key);
  }
  return taken;
}

function settle(shape: ReadShape, batch: Pending, rows: readonly TextRow[]): void {
  if (rows[0]?.[0] !== shape.version) return rejectAll(batch, new StaleCatalogue());
  for (const row of rows) {
    const key = row[1];
    if (key === null || key === undefined) continue;
    batch.get(key)?.forEach((waiter) => waiter.resolve(row));
    batch.delete(key);
  }
  for (const waiters of batch.values()) waiters.forEach((waiter) => waiter.resolve(undefined));
}

function rejectAll(batch: Pending, error: unknown): void {
  for (const waiters of batch.values()) waiters.forEach((waiter) => waiter.reject(error));
}
