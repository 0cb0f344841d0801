import { SvcError } from '../../proto/errors/svc-error.ts';
import type { Connection, TextRow } from './connection.ts';
import { isLockTimeout } from './errors.ts';
import type { Statement } from './sql.ts';
import { StaleCatalogue } from './stale-catalogue.ts';

/** One write inside a batch: the texts of its columns, in the order of its shape. */
export type WriteMember = readonly (string | null)[];

/**
 * A write that many callers share. The statement takes the catalogue version and one array per column, and answers rows
 * of (catalogue version, member's number from 1, version of the record): one for each member that was written, and at
 * least one row in all. A member it could not write at once, for whatever reason, it leaves out.
 */
export interface WriteShape {
  readonly statement: Statement;
  readonly version: string;
  /** How the members' column travels: most as an array literal, documents as one text cut at U+001E. */
  readonly columns: readonly ('array' | 'documents')[];
}

/** The record version of what was written, or `left out`: to be run alone, where the reason shows. */
export type WriteOutcome = { readonly kind: 'written'; readonly seq: string } | { readonly kind: 'left-out' };

/** Members that travel together, and how often a wait for a lock has split them already. */
interface Batch {
  readonly shape: WriteShape;
  readonly waiting: readonly Waiting[];
  readonly lockSplits: number;
}

interface Waiting {
  readonly member: WriteMember;
  readonly resolve: (outcome: WriteOutcome) => void;
  readonly reject: (error: unknown) => void;
}

const membersPerBatchMax = 128;
const pendingMax = 10_000;
/** A row somebody holds is found by halving; a table somebody holds would cost a wait for every half. */
const lockSplitsMax = 2;
const leftOut: WriteOutcome = { kind: 'left-out' };

/**
 * Group commit by hand: the writes of one shape that arrive together are one statement and one commit. Outcomes are never
 * coupled: a statement that fails as a whole is run again in halves, and what fails by itself is left to its caller.
 */
export class WriteCoalescer {
  readonly #connections: readonly Connection[];
  readonly #onBatch: (size: number) => void;
  readonly #pending = new Map<WriteShape, Waiting[]>();
  /** Halves of a failed batch, run before anything new. */
  readonly #retries: Batch[] = [];
  #pendingMembers = 0;
  #isScheduled = false;

  constructor(connections: readonly Connection[], onBatch: (size: number) => void) {
    this.#connections = connections;
    this.#onBatch = onBatch;
  }

  write(shape: WriteShape, member: WriteMember): Promise<WriteOutcome> {
    if (this.#pendingMembers >= pendingMax) return Promise.reject(new SvcError('overloaded'));
    return new Promise((resolve, reject) => {
      const waiting = this.#pending.get(shape);
      if (waiting === undefined) this.#pending.set(shape, [{ member, resolve, reject }]);
      else waiting.push({ member, resolve, reject });
      this.#pendingMembers += 1;
      this.#schedule();
    });
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
    for (const connection of this.#connections) {
      if (connection.outstanding > 0 || !connection.isUp) continue;
      const next = this.#next();
      if (next === undefined) return;
      this.#send(connection, next);
    }
    if (this.#connections.every((connection) => !connection.isUp)) this.#failAll();
  }

  #next(): Batch | undefined {
    const retry = this.#retries.shift();
    if (retry !== undefined) return retry;
    const [first] = this.#pending;
    if (first === undefined) return undefined;
    const [shape, waiting] = first;
    this.#pending.delete(shape);
    const taken = waiting.splice(0, membersPerBatchMax);
    if (waiting.length > 0) this.#pending.set(shape, waiting);
    this.#pendingMembers -= taken.length;
    return { shape, waiting: taken, lockSplits: 0 };
  }

  #send(connection: Connection, batch: Batch): void {
    const { shape, waiting } = batch;
    this.#onBatch(waiting.length);
    const members = waiting.map(({ member }) => member);
    connection
      .execute(shape.statement, batchValues(shape, members))
      .then(
        (rows) => settle(batch, rows),
        (error: unknown) => this.#recover(batch, error),
      )
      .finally(() => this.#flush());
  }

  #recover({ shape, waiting, lockSplits }: Batch, error: unknown): void {
    if (error instanceof StaleCatalogue || error instanceof SvcError) return rejectAll(waiting, error);
    const splits = lockSplits + (isLockTimeout(error) ? 1 : 0);
    if (waiting.length === 1 || splits > lockSplitsMax) return waiting.forEach(({ resolve }) => resolve(leftOut));
    const middle = waiting.length >> 1;
    for (const half of [waiting.slice(0, middle), waiting.slice(middle)]) this.#retries.push({ shape, waiting: half, lockSplits: splits });
  }

  #failAll(): void {
    const waiting = [...this.#pending.values(), ...this.#retries.map((retry) => retry.waiting)].flat();
    this.#pending.clear();
    this.#retries.length = 0;
    this.#pendingMembers = 0;
    rejectAll(waiting, new SvcError('unavailable'));
  }
}

/** The statement's values for `members`: the catalogue version, then one text per column. */
export function batchValues(shape: WriteShape, members: readonly WriteMember[]): string[] {
  const columns = shape.columns.map((kind, index) => {
    const texts = members.map((member) => member[index] ?? null);
    return kind === 'documents' ? texts.join(documentSeparator) : arrayLiteral(texts);
  });
  return [shape.version, ...columns];
}

/** What cuts documents apart: JSON text never holds it unescaped (RFC 8259, section 7). */
const documentSeparator = '\u001e';

/** Postgres' text form of an array of text (PostgreSQL, 8.15.2). */
export function arrayLiteral(texts: readonly (string | null)[]): string {
  return `{${texts.map(arrayElement).join(',')}}`;
}

function arrayElement(text: string | null): string {
  if (text === null) return 'NULL';
  return `"${/["\\]/.test(text) ? text.replaceAll(/["\\]/g, '\\$&') : text}"`;
}

function settle({ shape, waiting }: Batch, rows: readonly TextRow[]): void {
  if (rows[0]?.[0] !== shape.version) return rejectAll(waiting, new StaleCatalogue());
  const written = new Map(rows.map(([, number, seq]) => [Number(number), seq ?? '']));
  waiting.forEach(({ resolve }, index) => {
    const seq = written.get(index + 1);
    resolve(seq === undefined ? leftOut : { kind: 'written', seq });
  });
}

function rejectAll(batch: readonly Waiting[], error: unknown): void {
  batch.forEach((waiting) => waiting.reject(error));
}
