import pg from 'pg';
import { fail } from '../../proto/errors/svc-error.ts';
import { fixedStatement, reachable } from './errors.ts';
import { sharedSession } from './session.sql.ts';
import type { Statement } from './sql.ts';

/** Columns of one row in the order of the select list, each as Postgres' own text. */
export type TextRow = readonly (string | null)[];

/** What a connection tells about itself. */
export interface ConnectionEvents {
  readonly onLost: (error: Error) => void;
  readonly onStatement: (label: string, outcome: 'ok' | 'error') => void;
}

/** Prepared statements kept on one connection; the least recently used goes first. */
const preparedMax = 256;
const reconnectFirstMs = 20;
const reconnectMaxMs = 250;

/** Text stays text: the wire carries JSON that Postgres has made, so nothing is parsed on the way. */
const textTypes: pg.CustomTypesConfig = { getTypeParser: () => (value: string) => value };

/**
 * One connection in pipeline mode: statements leave at once and are answered in order, each its own implicit transaction.
 * A lost connection fails what was under way with `unavailable` and comes back by itself.
 */
export class Connection implements AsyncDisposable {
  readonly #config: pg.ClientConfig;
  readonly #usesPrepared: boolean;
  readonly #events: ConnectionEvents;
  readonly #prepared = new Map<string, true>();
  #client: pg.Client | undefined;
  #isClosed = false;
  #outstanding = 0;
  #reconnectMs = reconnectFirstMs;
  #reconnect: NodeJS.Timeout | undefined;

  constructor(config: pg.ClientConfig, preparation: 'prepared' | 'unprepared', events: ConnectionEvents) {
    this.#config = config;
    this.#usesPrepared = preparation === 'prepared';
    this.#events = events;
  }

  /** Statements sent and not answered yet. */
  get outstanding(): number {
    return this.#outstanding;
  }

  get isUp(): boolean {
    return this.#client !== undefined;
  }

  /** Connects once; afterwards the connection keeps itself up. */
  async open(): Promise<void> {
    if (this.#client !== undefined) return;
    const client = new pg.Client({ ...this.#config, pipeline: true, types: textTypes });
    client.on('error', (error) => this.#lose(client, error));
    client.on('end', () => this.#lose(client, new Error('the connection ended')));
    await reachable(client.connect());
    if (this.#usesPrepared) await reachable(client.query(sharedSession.text));
    if (this.#isClosed) return client.end();
    this.#prepared.clear();
    this.#client = client;
    this.#reconnectMs = reconnectFirstMs;
  }

  /** Runs a fixed statement with its values; answers rows of text. Rejects with StaleCatalogue where the schema has moved under it. */
  async execute(statement: Statement, values: readonly unknown[]): Promise<readonly TextRow[]> {
    const client = this.#client;
    if (client === undefined) return fail('unavailable');
    this.#outstanding += 1;
    try {
      const query = { text: statement.text, values: values as unknown[], rowMode: 'array' as const, types: textTypes };
      const named = this.#usesPrepared && statement.name !== '' ? { ...query, name: this.#prepare(client, statement) } : query;
      const result = await fixedStatement(client.query<string[]>(named));
      this.#events.onStatement(statement.label, 'ok');
      return result.rows;
    } catch (error) {
      this.#events.onStatement(statement.label, 'error');
      throw error;
    } finally {
      this.#outstanding -= 1;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#reconnect);
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #prepare(client: pg.Client, statement: Statement): string {
    if (this.#prepared.delete(statement.name)) {
      this.#prepared.set(statement.name, true);
      return statement.name;
    }
    this.#prepared.set(statement.name, true);
    if (this.#prepared.size > preparedMax) this.#forgetOldest(client);
    return statement.name;
  }

  /** pg keeps the texts it has prepared by name; both sides must forget, or the name could not be prepared again. */
  #forgetOldest(client: pg.Client): void {
    const [oldest] = this.#prepared.keys();
    if (oldest === undefined) return;
    this.#prepared.delete(oldest);
    const { connection } = client as unknown as {
      connection: { parsedStatements: Record<string, string>; submittedNamedStatements: Record<string, string> };
    };
    void client.query(`deallocate ${client.escapeIdentifier(oldest)}`).catch(() => undefined);
    delete connection.parsedStatements[oldest];
    delete connection.submittedNamedStatements[oldest];
  }

  #lose(client: pg.Client, error: Error): void {
    if (this.#isClosed || this.#client !== client) return;
    this.#client = undefined;
    this.#events.onLost(error);
    void client.end().catch(() => undefined);
    this.#comeBack();
  }

  #comeBack(): void {
    this.#reconnect = setTimeout(() => {
      this.open().then(
        () => (this.#reconnect = undefined),
        () => {
          this.#reconnectMs = Math.min(this.#reconnectMs * 2, reconnectMaxMs);
          this.#comeBack();
        },
      );
    }, this.#reconnectMs);
  }
}
