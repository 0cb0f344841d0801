import pg from 'pg';
import { SvcError } from '../../proto/errors/svc-error.ts';
import type { Clock } from '../../proto/values/time.ts';
import { Catalogue } from '../../store/collections/catalogue.ts';
import type { CollectionDeps, PlanRequest } from '../../store/collections/change-schema.ts';
import { createCollection } from '../../store/collections/create.ts';
import { dropCollection } from '../../store/collections/drop.ts';
import { getCollection } from '../../store/collections/get.ts';
import { listCollections } from '../../store/collections/list.ts';
import { truncateCollection } from '../../store/collections/truncate.ts';
import { updateCollection } from '../../store/collections/update.ts';
import { Database } from '../../store/postgres/database.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

export type Json = Record<string, unknown>;

export interface FieldAnswer extends Json {
  readonly id: string;
  readonly name: string;
}

export interface CollectionAnswer extends Json {
  readonly id: string;
  readonly name: string;
  readonly fields: readonly FieldAnswer[];
  readonly indexes: readonly Json[];
  readonly rules: Json;
}

export interface PlanAnswer {
  readonly statements: readonly string[];
  readonly locks: readonly string[];
  readonly rewrites: boolean;
  readonly destructive: readonly string[];
  readonly breaks: readonly string[];
  readonly hash: string;
}

/** What a refused request told its caller. */
export interface Refusal {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly data: Readonly<Record<string, string>>;
}

const noPlan: PlanRequest = { only: false, hash: '' };
const startMs = 1_900_000_000_000;

/** The use cases on collections over a database of their own, beside a plain connection that looks at the tables. */
export class CollectionsFixture implements AsyncDisposable {
  readonly #database: TestDatabase;
  readonly #store: Database;
  readonly #pool: pg.Pool;
  readonly deps: CollectionDeps;

  private constructor(database: TestDatabase, store: Database) {
    this.#database = database;
    this.#store = store;
    this.#pool = new pg.Pool({ connectionString: database.url, max: 4, options: '-c timezone=UTC' });
    this.#pool.on('error', () => {});
    this.deps = { database: store, catalogue: new Catalogue(store), clock: tickingClock(), lockTimeoutMs: 200 };
  }

  static async open(): Promise<CollectionsFixture> {
    const database = await testDatabase();
    const store = new Database({ url: database.url, preparation: 'prepared', applicationName: 'collections test' }, silent);
    await store.open();
    return new CollectionsFixture(database, store);
  }

  /** Rows of a statement run beside the service, as a hand would. */
  async rows<Row extends object = Json>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.#pool.query<Row>(text, [...values])).rows;
  }

  /** A connection of its own, for a transaction that stays open. */
  connection(): Promise<pg.PoolClient> {
    return this.#pool.connect();
  }

  async create(body: unknown): Promise<CollectionAnswer> {
    return JSON.parse(await createCollection(this.deps, { body: bytes(body), plan: noPlan })) as CollectionAnswer;
  }

  async update(name: string, body: unknown, hash = ''): Promise<CollectionAnswer> {
    return JSON.parse(await updateCollection(this.deps, { name, body: bytes(body), plan: { only: false, hash } })) as CollectionAnswer;
  }

  drop(name: string, hash = ''): Promise<string> {
    return dropCollection(this.deps, { name, plan: { only: false, hash } });
  }

  async truncate(name: string): Promise<Json> {
    return JSON.parse(await truncateCollection(this.deps, { name })) as Json;
  }

  async get(name: string): Promise<CollectionAnswer> {
    return JSON.parse(await getCollection(this.deps, { name })) as CollectionAnswer;
  }

  async list(): Promise<readonly CollectionAnswer[]> {
    return JSON.parse(await listCollections(this.deps)) as CollectionAnswer[];
  }

  async planCreate(body: unknown): Promise<PlanAnswer> {
    return JSON.parse(await createCollection(this.deps, { body: bytes(body), plan: planOnly })) as PlanAnswer;
  }

  async planUpdate(name: string, body: unknown): Promise<PlanAnswer> {
    return JSON.parse(await updateCollection(this.deps, { name, body: bytes(body), plan: planOnly })) as PlanAnswer;
  }

  async planDrop(name: string): Promise<PlanAnswer> {
    return JSON.parse(await dropCollection(this.deps, { name, plan: planOnly })) as PlanAnswer;
  }

  async close(): Promise<void> {
    await Promise.all([this.#store.close(), this.#pool.end()]);
    await this.#database.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** The refusal that `work` ends in; anything else is passed on. */
export async function refusal(work: Promise<unknown>): Promise<Refusal> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const data = Object.fromEntries(Object.entries(error.details.data ?? {}).map(([key, fault]) => [key, fault.code]));
    return { code: error.code, status: error.status, message: error.message, data };
  }
  throw new Error('nothing was refused');
}

const planOnly: PlanRequest = { only: true, hash: '' };
const silent = { onLost: () => {}, onStatement: () => {}, onReadBatch: () => {}, onWriteBatch: () => {} };

/** A text is sent as it is; anything else as its JSON. */
function bytes(body: unknown): Uint8Array {
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** One second later at every look, so that no two changes have one time. */
function tickingClock(): Clock {
  let now = startMs;
  return { now: () => (now += 1_000) };
}
