import pg from 'pg';

/** A transaction that has done one thing and stays open; undone when it is disposed of. */
export class Hold implements AsyncDisposable {
  readonly #client: pg.Client;
  #closing: Promise<void> | undefined;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async open(databaseUrl: string, statement: string): Promise<Hold> {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const hold = new Hold(client);
    try {
      await client.query('begin');
      await client.query(statement);
      return hold;
    } catch (error) {
      await hold.close();
      throw error;
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#client.query('rollback').then(() => this.#client.end());
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
