import type { TextRow } from './connection.ts';
import type { Statement } from './sql.ts';

type Run = (statement: Statement, values: readonly (string | null)[]) => Promise<readonly TextRow[]>;

/**
 * Runs equal queries that arrive in one turn of the event loop once. The one query leaves at the end of the turn, so what it
 * reads is younger than each of the calls that share it.
 */
export class EqualQueries {
  readonly #run: Run;
  #turn = new Map<string, Shared>();

  constructor(run: Run) {
    this.#run = run;
  }

  /** The rows of a prepared statement; `values` are its parameters as text. */
  query(statement: Statement, values: readonly (string | null)[]): Promise<readonly TextRow[]> {
    if (this.#turn.size === 0) setImmediate(() => this.#send());
    const key = statement.name + JSON.stringify(values);
    let shared = this.#turn.get(key);
    if (shared === undefined) this.#turn.set(key, (shared = new Shared(statement, values)));
    return shared.rows;
  }

  #send(): void {
    const turn = this.#turn;
    this.#turn = new Map();
    for (const shared of turn.values()) shared.resolve(this.#run(shared.statement, shared.values));
  }
}

class Shared {
  readonly statement: Statement;
  readonly values: readonly (string | null)[];
  readonly rows: Promise<readonly TextRow[]>;
  resolve!: (rows: Promise<readonly TextRow[]>) => void;

  constructor(statement: Statement, values: readonly (string | null)[]) {
    this.statement = statement;
    this.values = values;
    this.rows = new Promise((resolve) => (this.resolve = resolve));
  }
}
