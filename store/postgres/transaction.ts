import type pg from 'pg';
import type { TextRow } from './connection.ts';
import { fixedStatement, reachable, sqlState, sqlStates } from './errors.ts';
import type { Sql, Statement } from './sql.ts';
import { beginWith } from './transaction.sql.ts';

/** How a transaction is bounded. */
export interface TransactionOptions {
  readonly label: string;
  readonly lockTimeoutMs: number;
  readonly statementTimeoutMs: number;
  /** How often a deadlock or serialisation failure is tried again; 0 unless said. */
  readonly retries?: number;
}

/** Where transactions run. */
export interface TransactionPool {
  readonly clients: pg.Pool;
  readonly preparation: 'prepared' | 'unprepared';
}

/** What a transaction's work may do. */
export interface Transaction {
  /** Runs a labelled statement; rows are objects with pg's usual types. */
  query<Row extends object>(label: string, text: Sql): Promise<Row[]>;
  /** Runs a fixed statement; rows are texts in the order of the select list. */
  execute(fixed: Statement, values: readonly unknown[]): Promise<readonly TextRow[]>;
}

const textTypes: pg.CustomTypesConfig = { getTypeParser: () => (value: string) => value };

/** Prepared statements on one connection; one that has its fill makes room for a fresh one. */
const preparedMax = 256;

/** Runs `work` in one transaction on a connection of `pool`; commits what it did, or nothing. */
export async function transaction<Result>(
  pool: TransactionPool,
  options: TransactionOptions,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  for (let left = options.retries ?? 0; ; left -= 1) {
    try {
      return await attempt(pool, options, work);
    } catch (error) {
      const state = sqlState(error);
      const isPassing = state === sqlStates.deadlockDetected || state === sqlStates.serializationFailure;
      if (!isPassing || left <= 0) throw error;
    }
  }
}

async function attempt<Result>(pool: TransactionPool, options: TransactionOptions, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  const client = await reachable(pool.clients.connect());
  let broken: Error | undefined;
  try {
    await reachable(client.query(beginWith(options).compile().text));
    const result = await work(onClient(client, pool.preparation));
    await reachable(client.query('commit'));
    return result;
  } catch (error) {
    await client.query('rollback').catch((rollbackError: unknown) => {
      broken = rollbackError instanceof Error ? rollbackError : new Error('rollback failed');
    });
    throw error;
  } finally {
    client.release(broken ?? hasItsFill(client));
  }
}

function hasItsFill(client: pg.PoolClient): boolean {
  const { connection } = client as unknown as { connection: { parsedStatements: Readonly<Record<string, string>> } };
  return Object.keys(connection.parsedStatements).length > preparedMax;
}

function onClient(client: pg.PoolClient, preparation: TransactionPool['preparation']): Transaction {
  return {
    async query<Row extends object>(label: string, body: Sql): Promise<Row[]> {
      const { text, values } = body.compile();
      const result = await reachable(client.query<Row>(`/* ${label} */ ${text}`, values));
      return result.rows;
    },
    async execute(fixed: Statement, values: readonly unknown[]): Promise<readonly TextRow[]> {
      const query = { text: fixed.text, values: values as unknown[], rowMode: 'array' as const, types: textTypes };
      const isNamed = preparation === 'prepared' && fixed.name !== '';
      const result = await fixedStatement(client.query<string[]>(isNamed ? { ...query, name: fixed.name } : query));
      return result.rows;
    },
  };
}
