import type { Log } from '../../../proto/process/log.ts';
import type { CollectionDefinition } from '../../../proto/schema/definition.ts';
import type { Database } from '../../postgres/database.ts';
import { createSearchIndex, dropBrokenSearchIndex, searchIndexName, selectSearchIndex, searchedFields } from './search.sql.ts';

export { hasWords } from './search.sql.ts';

/** A large table takes its time; nobody waits for it. */
const buildTimeoutMs = 30 * 60 * 1000;

/** After an attempt that failed, or found another one under way. */
const againMs = 60_000;

/** Makes the index of a collection's words when somebody first searches there; until it stands, searches read every record. */
export class SearchIndexes {
  readonly #database: Pick<Database, 'query' | 'maintain'>;
  readonly #log: Pick<Log, 'info' | 'warn'>;
  /** When this process sees to the index of a definition again; never, once it stands. */
  readonly #seeAgainMs = new WeakMap<CollectionDefinition, number>();
  #isBusy = false;

  constructor(database: Pick<Database, 'query' | 'maintain'>, log: Pick<Log, 'info' | 'warn'>) {
    this.#database = database;
    this.#log = log;
  }

  /** Sees to the index, in the background and one at a time; several stores may do so at once. */
  want(collection: CollectionDefinition): void {
    if (searchedFields(collection).length === 0) return;
    if (this.#isBusy || performance.now() < (this.#seeAgainMs.get(collection) ?? 0)) return;
    this.#isBusy = true;
    this.#seeAgainMs.set(collection, performance.now() + againMs);
    this.#see(collection)
      .catch((error: unknown) =>
        this.#log.warn({ err: error, collection: collection.name }, 'the search index could not be made; searches read every record'),
      )
      .finally(() => (this.#isBusy = false));
  }

  async #see(collection: CollectionDefinition): Promise<void> {
    const [row] = await this.#database.query(selectSearchIndex, [searchIndexName(collection)]);
    const state = row?.[0];
    if (state === 'broken') await this.#database.maintain(dropBrokenSearchIndex(collection), buildTimeoutMs);
    if (state === 'ready') this.#seeAgainMs.set(collection, Infinity);
    if (state !== 'broken' && state !== 'missing') return;
    await this.#database.maintain(createSearchIndex(collection), buildTimeoutMs);
    this.#seeAgainMs.set(collection, Infinity);
    this.#log.info({ collection: collection.name }, 'the search index has been made');
  }
}
