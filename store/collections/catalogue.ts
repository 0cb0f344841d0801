import type { CollectionDefinition } from '../../proto/schema/definition.ts';
import type { Database } from '../postgres/database.ts';
import type { TextRow } from '../postgres/connection.ts';
import { selectCatalogue, selectVersion } from './catalogue.sql.ts';
import { readDefinition } from './stored-definition.ts';

/** A relation field, seen from the collection that it points to. */
export interface Reference {
  readonly collection: CollectionDefinition;
  readonly fieldId: string;
}

/** All collections as one version of the catalogue has them. Immutable: a change makes a new one. */
export class Schema {
  /** The catalogue's version, as Postgres prints it. */
  readonly version: string;
  readonly #byName: ReadonlyMap<string, CollectionDefinition>;
  readonly #byId: ReadonlyMap<string, CollectionDefinition>;
  readonly #references: ReadonlyMap<string, readonly Reference[]>;
  readonly #derived = new WeakMap<CollectionDefinition, Map<string, unknown>>();

  constructor(version: string, collections: readonly CollectionDefinition[]) {
    this.version = version;
    this.#byName = new Map(collections.map((collection) => [collection.name.toLowerCase(), collection]));
    this.#byId = new Map(collections.map((collection) => [collection.id, collection]));
    this.#references = referencesByTarget(collections);
  }

  /** The collection of this name, ignoring case. */
  byName(name: string): CollectionDefinition | undefined {
    return this.#byName.get(name) ?? this.#byName.get(name.toLowerCase());
  }

  byId(id: string): CollectionDefinition | undefined {
    return this.#byId.get(id);
  }

  all(): readonly CollectionDefinition[] {
    return [...this.#byId.values()];
  }

  /** What follows from a collection within this schema, made once; keys are few, because they come from the schema itself. */
  derived<Value>(collection: CollectionDefinition, key: string, make: () => Value): Value {
    let values = this.#derived.get(collection);
    if (values === undefined) this.#derived.set(collection, (values = new Map<string, unknown>()));
    if (!values.has(key)) values.set(key, make());
    return values.get(key) as Value;
  }

  /** This schema with `collections` in the place of those with their ids, or beside them. */
  with(collections: readonly CollectionDefinition[]): Schema {
    return new Schema(this.version, [...new Map([...this.all(), ...collections].map((each) => [each.id, each])).values()]);
  }

  without(id: string): Schema {
    return new Schema(
      this.version,
      this.all().filter((collection) => collection.id !== id),
    );
  }

  /** The relation fields, of any collection, that point to the collection `id`. */
  referencesTo(id: string): readonly Reference[] {
    return this.#references.get(id) ?? [];
  }
}

/**
 * This process' copy of the catalogue. It may lag behind: every statement on records says which version it was compiled
 * for, and nothing is refused on the copy's word alone (see with-schema.ts).
 */
export class Catalogue {
  readonly #database: Database;
  #current: Schema | undefined;
  #reloading: Promise<Schema> | undefined;
  #confirming: Promise<string> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The schema as last loaded; loads it the first time. */
  async current(): Promise<Schema> {
    return this.#current ?? (await this.reload(undefined));
  }

  /** The schema as last loaded, without waiting; undefined before the first load. */
  get loaded(): Schema | undefined {
    return this.#current;
  }

  /** A schema newer than `seen`; callers that saw the same one share a single load. */
  async reload(seen: Schema | undefined): Promise<Schema> {
    if (this.#current !== undefined && this.#current !== seen) return this.#current;
    this.#reloading ??= this.#load().finally(() => (this.#reloading = undefined));
    return this.#reloading;
  }

  /** Whether `schema` is still what the database has, asked now. */
  async isCurrent(schema: Schema): Promise<boolean> {
    this.#confirming ??= this.#askVersion();
    return (await this.#confirming) === schema.version;
  }

  async #load(): Promise<Schema> {
    this.#current = schemaOf(await this.#database.query(selectCatalogue, []));
    return this.#current;
  }

  /** The question leaves at the end of the turn, so that all who ask in one turn share an answer that is younger than they are. */
  async #askVersion(): Promise<string> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#confirming = undefined;
    const rows = await this.#database.query(selectVersion, []);
    return rows[0]?.[0] ?? '';
  }
}

/** The schema that the rows of `selectCatalogue` make. */
export function schemaOf(rows: readonly TextRow[]): Schema {
  const version = rows[0]?.[0];
  if (typeof version !== 'string') throw new TypeError('svc.catalogue has no row: the migrations have not run');
  return new Schema(version, rows.filter((row) => row[1] !== null).map(definitionOf));
}

function definitionOf(row: TextRow): CollectionDefinition {
  const [, id = '', name = '', type = '', system = '', definition = '', docVersion = '', createdAt = '', updatedAt = ''] = row.map(String);
  return readDefinition({ id, name, type, system, definition, docVersion, createdAt, updatedAt });
}

function referencesByTarget(collections: readonly CollectionDefinition[]): Map<string, Reference[]> {
  const references = new Map<string, Reference[]>();
  for (const collection of collections) {
    for (const field of collection.fields) {
      if (field.type !== 'relation') continue;
      const target = String(field.options['targetId']);
      references.set(target, [...(references.get(target) ?? []), { collection, fieldId: field.id }]);
    }
  }
  return references;
}
