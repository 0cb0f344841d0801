import pg from 'pg';
import type { HttpClient } from './http.ts';
import type { Hit, Shot } from './load.ts';

/**
 * A mixed load of reads and writes that remembers every promise it was given, and asks the database afterwards which were
 * kept. One client's requests follow each other, so it knows what its records must hold.
 */
export class Ledger {
  readonly collection: string;
  readonly #clients: readonly Account[];

  constructor(collection: string, clients: number) {
    this.collection = collection;
    this.#clients = Array.from({ length: clients }, (_, client) => new Account(client, `/api/svc/${collection}/records`));
  }

  /** Makes the collection, and each client's own record. */
  async open(client: HttpClient): Promise<void> {
    const fields = [
      { name: 'n', type: 'number' },
      { name: 'key', type: 'text' },
    ];
    const made = await client.post('/api/svc', { name: this.collection, type: 'base', fields });
    if (made.status !== 201) throw new Error(made.text);
    const own = await Promise.all(this.#clients.map(({ ownId }) => client.post(`/api/svc/${this.collection}/records`, { id: ownId, n: 0 })));
    if (own.some(({ status }) => status !== 201)) throw new Error(own.map(({ text }) => text).join('\n'));
  }

  readonly next = (client: number, turn: number): Shot => this.#account(client).next(turn);

  readonly onHit = (hit: Hit): void => this.#account(hit.client).note(hit);

  /** Promises that were not kept, and halves of pairs, in words; empty when all is well. */
  async audit(databaseUrl: string): Promise<readonly string[]> {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      const rows = await client.query<StoredRow>(`select id, n::float8 as n, key from data.${client.escapeIdentifier(this.collection)}`);
      const stored = new Map(rows.rows.map((row) => [row.id, row]));
      const halves = await client.query<{ what: string }>(halfPairs(client.escapeIdentifier(this.collection)), [this.collection]);
      return [...this.#clients.flatMap((account) => account.audit(stored)), ...halves.rows.map(({ what }) => what)];
    } finally {
      await client.end();
    }
  }

  #account(client: number): Account {
    const account = this.#clients[client];
    if (account === undefined) throw new TypeError(`the ledger has no client ${client}`);
    return account;
  }
}

interface StoredRow {
  readonly id: string;
  readonly n: number | null;
  readonly key: string | null;
}

/** What one client was promised. */
class Account {
  readonly ownId: string;
  readonly #name: string;
  readonly #path: string;
  /** Its records that must be there. */
  readonly #created: string[] = [];
  readonly #deleted: string[] = [];
  /** Keys whose write was answered. */
  readonly #keysDone: string[] = [];
  #ownValue = 0;
  #keys = 0;

  constructor(client: number, path: string) {
    this.#name = `c${client}`;
    this.ownId = `${this.#name}-own`;
    this.#path = path;
  }

  next(turn: number): Shot {
    switch (turn % 8) {
      case 1:
      case 5:
        return { method: 'POST', path: this.#path, body: { id: `${this.#name}-${turn}` } };
      case 2:
        return { method: 'GET', path: `${this.#path}?perPage=10` };
      case 3:
        return { method: 'PATCH', path: `${this.#path}/${this.ownId}`, body: { n: turn } };
      case 6:
        return this.#keyed();
      case 7:
        return this.#deletion();
      default:
        return this.#view();
    }
  }

  note({ shot, status }: Hit): void {
    const { id = '', n = 0, key } = (shot.body ?? {}) as { id?: string; n?: number; key?: string };
    if (shot.method === 'POST' && key !== undefined) {
      if (status === 201) this.#keysDone.push(key);
    } else if (shot.method === 'POST') {
      if (status === 201) this.#created.push(id);
    } else if (shot.method === 'PATCH') {
      if (status === 200) this.#ownValue = n;
    } else if (shot.method === 'DELETE' && status === 204) {
      this.#deleted.push(shot.path.slice(this.#path.length + 1));
    }
  }

  audit(stored: ReadonlyMap<string, StoredRow>): string[] {
    const lost = this.#created.filter((id) => !stored.has(id)).map((id) => `${id} was answered 201 and is not there`);
    const undead = this.#deleted.filter((id) => stored.has(id)).map((id) => `${id} was answered 204 and is still there`);
    const own = stored.get(this.ownId)?.n ?? -1;
    const forgotten = own < this.#ownValue ? [`${this.ownId} was answered 200 for ${this.#ownValue} and holds ${own}`] : [];
    const keys = [...stored.values()].flatMap(({ key }) => (key === null ? [] : [key]));
    const twice = keys.filter((key, index) => keys.indexOf(key) !== index).filter((key) => key.startsWith(`${this.#name}-`));
    const missing = this.#keysDone.filter((key) => !keys.includes(key));
    return [
      ...lost,
      ...undead,
      ...forgotten,
      ...twice.map((key) => `the key ${key} has written twice`),
      ...missing.map((key) => `the key ${key} was answered 201 and has written nothing`),
    ];
  }

  #view(): Shot {
    return { method: 'GET', path: `${this.#path}/${this.ownId}` };
  }

  /** Asks again with the same key until it is answered. */
  #keyed(): Shot {
    const last = `${this.#name}-key-${this.#keys}`;
    if (this.#keys === 0 || this.#keysDone.at(-1) === last) this.#keys += 1;
    const key = `${this.#name}-key-${this.#keys}`;
    return { method: 'POST', path: this.#path, body: { key }, headers: { 'idempotency-key': key } };
  }

  /** Its oldest record but for the youngest two; whatever is answered, the record counts as promised no more. */
  #deletion(): Shot {
    const id = this.#created.length > 2 ? this.#created.shift() : undefined;
    return id === undefined ? this.#view() : { method: 'DELETE', path: `${this.#path}/${id}` };
  }
}

/** Records whose last change is not the last row of the log, and the reverse. */
function halfPairs(table: string): string {
  return `
    with last as (
      select distinct on (record) record, seq, action
      from svc.outbox
      where collection = (select id from svc.collections where name = $1)
      order by record, seq desc
    )
    select case
        when last.record is null then 'the record ' || stored.id || ' has no row in the log'
        when stored.id is null then 'the log says ' || last.action || ' of ' || last.record || ', which is not there'
        else 'the record ' || stored.id || ' and the log differ in its last change'
      end as what
    from data.${table} stored
    full join last on last.record = stored.id
    where last.record is null
      or (stored.id is null and last.action <> 'delete')
      or (stored.id is not null and (last.action = 'delete' or stored._seq <> last.seq))`;
}
