import pg from 'pg';
import { SvcError } from '../../proto/errors/svc-error.ts';
import { Connection, type ConnectionEvents, type TextRow } from './connection.ts';
import { fixedStatement, reachable } from './errors.ts';
import { EqualQueries } from './equal-queries.ts';
import { ReadCoalescer } from './read-coalescer.ts';
import type { Statement } from './sql.ts';
import { transaction, type Transaction, type TransactionOptions, type TransactionPool } from './transaction.ts';
import { WriteCoalescer } from './write-coalescer.ts';

/** What the store tells of its work with Postgres. */
export interface DatabaseEvents extends ConnectionEvents {
  readonly onReadBatch: (size: number) => void;
  readonly onWriteBatch: (size: number) => void;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly preparation: 'prepared' | 'unprepared';
  readonly applicationName: string;
}

const readConnections = 2;
const writeConnections = 2;
const otherConnections = 2;
const transactionConnectionsMax = 8;
const patientConnectionsMax = 8;
const slowConnectionsMax = 4;
const connectTimeoutMs = 5_000;
/** How long a transaction waits for a connection before the caller is told to come back. */
const poolWaitMs = 5_000;
/** How long a read waits for a table that somebody has locked. */
const patienceMs = 5_000;
const otherOutstandingMax = 4_000;

/**
 * Postgres as the store uses it: two connections for coalesced reads, two for coalesced writes, two for other fast
 * statements, a pool for transactions, one for those that wait for a lock, and a small one for what may be slow, so that no
 * kind of work waits for another.
 */
export class Database implements AsyncDisposable {
  readonly reads: ReadCoalescer;
  readonly writes: WriteCoalescer;
  readonly #equal = new EqualQueries((fixed, values) => this.query(fixed, values));
  readonly #config: pg.ClientConfig;
  readonly #readers: readonly Connection[];
  readonly #writers: readonly Connection[];
  readonly #others: readonly Connection[];
  readonly #transactions: TransactionPool;
  readonly #patient: TransactionPool;
  readonly #slow: TransactionPool;

  constructor(options: DatabaseOptions, events: DatabaseEvents) {
    const config: pg.ClientConfig = {
      connectionString: options.url,
      application_name: options.applicationName,
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
    };
    this.#config = config;
    const connections = (count: number) => Array.from({ length: count }, () => new Connection(config, options.preparation, events));
    this.#readers = connections(readConnections);
    this.#writers = connections(writeConnections);
    this.#others = connections(otherConnections);
    this.reads = new ReadCoalescer(this.#readers, (fixed, values) => this.slowQuery(fixed, values, patienceMs), events.onReadBatch);
    this.writes = new WriteCoalescer(this.#writers, events.onWriteBatch);
    const pool = (max: number): TransactionPool => ({ clients: poolOf({ ...config, max }, events), preparation: options.preparation });
    this.#transactions = pool(transactionConnectionsMax);
    this.#patient = pool(patientConnectionsMax);
    this.#slow = pool(slowConnectionsMax);
  }

  /** Connects everything that stays connected; rejects when Postgres does not answer. */
  async open(): Promise<void> {
    await Promise.all(this.#all().map((connection) => connection.open()));
  }

  get isUp(): boolean {
    return this.#all().every((connection) => connection.isUp);
  }

  /** Runs a fast fixed statement beside others on a shared connection. */
  query(statement: Statement, values: readonly unknown[]): Promise<readonly TextRow[]> {
    const up = this.#others.filter((connection) => connection.isUp);
    const [first, second] = up;
    if (first === undefined) return Promise.reject(new SvcError('unavailable'));
    const freest = second !== undefined && second.outstanding < first.outstanding ? second : first;
    if (freest.outstanding >= otherOutstandingMax) return Promise.reject(new SvcError('overloaded'));
    return freest.execute(statement, values);
  }

  /** As `query`; callers who ask the same in the same turn share one run. A statement that is not prepared is not shared. */
  sharedQuery(statement: Statement, values: readonly (string | null)[]): Promise<readonly TextRow[]> {
    return statement.name === '' ? this.query(statement, values) : this.#equal.query(statement, values);
  }

  /** Runs `work` in one transaction. */
  transaction<Result>(options: TransactionOptions, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return transaction(this.#transactions, options, work);
  }

  /** Runs `work` in one transaction that may wait long for somebody's lock; only its like wait for a connection meanwhile. */
  patientTransaction<Result>(options: TransactionOptions, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return transaction(this.#patient, options, work);
  }

  /** Runs a statement that may be slow, bounded by `timeoutMs`, where it keeps nobody else waiting. */
  slowQuery(fixed: Statement, values: readonly unknown[], timeoutMs: number): Promise<readonly TextRow[]> {
    const options = { label: fixed.label, lockTimeoutMs: timeoutMs, statementTimeoutMs: timeoutMs };
    return transaction(this.#slow, options, (tx) => tx.execute(fixed, values));
  }

  /** Runs a statement that must not be in a transaction, on a connection of its own. */
  async maintain(fixed: Statement, timeoutMs: number): Promise<void> {
    const client = new pg.Client({ ...this.#config, statement_timeout: timeoutMs });
    client.on('error', ignore);
    await reachable(client.connect());
    try {
      await fixedStatement(client.query(fixed.text));
    } finally {
      await client.end();
    }
  }

  async close(): Promise<void> {
    const pools = [this.#transactions, this.#patient, this.#slow];
    await Promise.all([...this.#all().map((connection) => connection.close()), ...pools.map(({ clients }) => clients.end())]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #all(): readonly Connection[] {
    return [...this.#readers, ...this.#writers, ...this.#others];
  }
}

function poolOf(config: pg.PoolConfig, events: ConnectionEvents): pg.Pool {
  const made = new pg.Pool({ ...config, connectionTimeoutMillis: poolWaitMs, idleTimeoutMillis: 30_000 });
  made.on('error', (error) => events.onLost(error));
  // The pool listens to idle clients only; one that breaks in the middle of a transaction would end the process.
  made.on('connect', (client) => client.on('error', ignore));
  return made;
}

/** The transaction's own statements fail with it. */
function ignore(): void {}
