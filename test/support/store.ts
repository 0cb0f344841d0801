import { SvcError } from '../../proto/errors/svc-error.ts';
import { createCollection } from '../../store/collections/create.ts';
import { Attempts } from '../../store/attempts/attempts.ts';
import { Catalogue } from '../../store/collections/catalogue.ts';
import { SearchIndexes } from '../../store/collections/search/search-indexes.ts';
import { updateCollection } from '../../store/collections/update.ts';
import { BodyDigest } from '../../store/idempotency/body-digest.ts';
import { Database } from '../../store/postgres/database.ts';
import { createRecord } from '../../store/records/create.ts';
import { deleteRecord } from '../../store/records/delete.ts';
import type { RecordAnswer, RecordDeps } from '../../store/records/deps.ts';
import { Cursors } from '../../store/records/list/cursors.ts';
import { listRecords } from '../../store/records/list/list.ts';
import { RowQueue } from '../../store/records/row-queue.ts';
import { Shapes } from '../../store/records/shape/shape.ts';
import { updateRecord } from '../../store/records/update.ts';
import { viewRecord } from '../../store/records/view.ts';
import { randomIds } from '../../proto/values/ids.ts';
import { systemClock } from '../../proto/values/time.ts';
import { testDatabase, type TestDatabase } from './database.ts';

type Json = Readonly<Record<string, unknown>>;

const wholePlan = { only: false, hash: '' };
const openRules = { listRule: '', viewRule: '', createRule: '', updateRule: '', deleteRule: '' };

/** The store's use cases on a database of their own, without the processes around them. */
export class TestStore implements AsyncDisposable {
  readonly deps: RecordDeps;
  readonly database: TestDatabase;

  constructor(database: TestDatabase, deps: RecordDeps) {
    this.database = database;
    this.deps = deps;
  }

  /** Creates an open collection; answers it as the wire shows it. */
  async collection(name: string, fields: readonly Json[], rest: Json = {}): Promise<Json> {
    const body = Buffer.from(JSON.stringify({ name, type: 'base', fields, rules: openRules, ...rest }));
    return JSON.parse(await createCollection(this.deps, { body, plan: wholePlan })) as Json;
  }

  async changeCollection(name: string, patch: Json): Promise<Json> {
    const body = Buffer.from(JSON.stringify(patch));
    return JSON.parse(await updateCollection(this.deps, { name, body, plan: wholePlan })) as Json;
  }

  create(collection: string, body: Json): Promise<RecordAnswer> {
    return createRecord(this.deps, { ...this.#write(collection), body: Buffer.from(JSON.stringify(body)) });
  }

  update(collection: string, id: string, body: Json): Promise<RecordAnswer> {
    return updateRecord(this.deps, { ...this.#write(collection), id, body: Buffer.from(JSON.stringify(body)) });
  }

  delete(collection: string, id: string): Promise<RecordAnswer> {
    return deleteRecord(this.deps, { ...this.#write(collection), id, body: Buffer.alloc(0) });
  }

  view(collection: string, id: string): Promise<RecordAnswer> {
    return viewRecord(this.deps, { ...this.#write(collection), id, ifNoneMatch: '' });
  }

  list(collection: string, query: string): Promise<RecordAnswer> {
    return listRecords(this.deps, { ...this.#write(collection), query });
  }

  async close(): Promise<void> {
    await this.deps.database.close();
    await this.database.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #write(collection: string) {
    return {
      principal: { kind: 'admin' },
      collection,
      query: '',
      headers: '',
      isWanted: true,
      requestId: '',
      ifMatch: '',
      idempotencyKey: '',
    } as const;
  }
}

/** A store that no workers belong to. */
const noWorkers = {
  cost: () => Promise.resolve(10),
  hash: () => Promise.reject(new SvcError('unavailable')),
  verify: () => Promise.reject(new SvcError('unavailable')),
};

/** A store of a test's own. */
export async function openStore(): Promise<TestStore> {
  const own = await testDatabase();
  const quiet = { onLost: () => undefined, onStatement: () => undefined, onReadBatch: () => undefined, onWriteBatch: () => undefined };
  const database = new Database({ url: own.url, preparation: 'prepared', applicationName: 'svc test' }, quiet);
  await database.open();
  const deps = {
    database,
    catalogue: new Catalogue(database),
    shapes: new Shapes(),
    rowQueue: new RowQueue(),
    clock: systemClock,
    ids: randomIds,
    attempts: new Attempts(database),
    hashing: noWorkers,
    digest: new BodyDigest(Buffer.alloc(32)),
    cursors: new Cursors(Buffer.alloc(32)),
    searchIndexes: new SearchIndexes(database, { info: () => undefined, warn: () => undefined }),
  };
  return new TestStore(own, deps);
}
