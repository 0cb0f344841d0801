import { fail } from '../../../proto/errors/svc-error.ts';
import type { Checked, Field, FieldInput, FieldType } from '../../../proto/fields/field-type.ts';
import { fieldTypes } from '../../../proto/fields/registry.ts';
import type { CollectionDefinition } from '../../../proto/schema/definition.ts';
import type { Reference, Schema } from '../../collections/catalogue.ts';
import { quoteName, sql, type Sql } from '../../postgres/sql.ts';
import { linksJson } from '../statements/links.sql.ts';

/** A field with all that reading and writing records needs of it, made once per version of the schema. */
export interface ShapeField {
  readonly field: Field;
  readonly name: string;
  readonly isList: boolean;
  readonly isHidden: boolean;
  readonly check: (input: FieldInput) => Checked;
  /** Where the value lives: a column of the table, or a join table for a relation to many. */
  readonly place: { readonly kind: 'column'; readonly sqlType: string } | { readonly kind: 'join'; readonly table: Sql };
  /** The table a relation points to, and the collection's name for messages. */
  readonly target: { readonly table: Sql; readonly name: string } | undefined;
  /** The SQL text that makes the value's JSON from the row `alias`. */
  readonly jsonOf: (alias: string) => string;
}

/** A collection as the record path sees it. */
export interface RecordShape {
  readonly collection: CollectionDefinition;
  readonly schema: Schema;
  readonly table: Sql;
  readonly fields: readonly ShapeField[];
  readonly byName: ReadonlyMap<string, ShapeField>;
  readonly hasHidden: boolean;
  /** Whether its records are accounts. */
  readonly hasAccounts: boolean;
  /** The relation fields that point here; a delete must look at them. */
  readonly references: readonly Reference[];
  /** Statements and the like that belong to this shape, made when first needed. */
  readonly compiled: CompiledCache;
}

/** What is compiled once per shape, bounded: the least recently used goes first. */
class CompiledCache {
  readonly #entries = new Map<string, unknown>();

  get<Value>(key: string, make: () => Value): Value {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      if (this.#entries.size > unsortedMax) this.#refresh(key, known);
      return known as Value;
    }
    const made = make();
    this.#entries.set(key, made);
    if (this.#entries.size > compiledMax) this.#forgetOldest();
    return made;
  }

  #refresh(key: string, value: unknown): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
  }

  #forgetOldest(): void {
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}

const compiledMax = 512;
/** With so few entries nothing is about to be forgotten, and the order of use need not be kept. */
const unsortedMax = 64;

/** The shapes of the collections of recent schemas; a schema that nobody uses any more takes its shapes with it. */
export class Shapes {
  readonly #made = new WeakMap<CollectionDefinition, RecordShape>();

  /** The shape of `collection` within `schema`. */
  of(schema: Schema, collection: CollectionDefinition): RecordShape {
    const known = this.#made.get(collection);
    if (known !== undefined) return known;
    const shape = makeShape(schema, collection);
    this.#made.set(collection, shape);
    return shape;
  }

  /** The shape of the collection called `name`; fails where there is none. */
  named(schema: Schema, name: string): RecordShape {
    const collection = schema.byName(name);
    return collection === undefined ? fail('collection_not_found') : this.of(schema, collection);
  }
}

function makeShape(schema: Schema, collection: CollectionDefinition): RecordShape {
  const fields = collection.fields.map((field) => makeField(schema, field));
  return {
    collection,
    schema,
    table: tableOf(collection),
    fields,
    byName: new Map(fields.map((field) => [field.name, field])),
    hasHidden: fields.some((field) => field.isHidden),
    hasAccounts: collection.type === 'auth',
    references: schema.referencesTo(collection.id),
    compiled: new CompiledCache(),
  };
}

/** The table of a collection's records. */
function tableOf(collection: CollectionDefinition): Sql {
  return sql.id('data', collection.name);
}

function makeField(schema: Schema, field: Field): ShapeField {
  const type: FieldType<never> = fieldTypes[field.type];
  const options = field.options as never;
  const sqlType = type.column(options);
  const join = sql.id('data', `_mn_${field.id}`);
  return {
    field,
    name: field.name,
    isList: type.isList(options),
    isHidden: field.hidden,
    check: type.checker(options),
    place: sqlType === null ? { kind: 'join', table: join } : { kind: 'column', sqlType },
    target: targetOf(schema, field),
    jsonOf: (alias) => (sqlType === null ? linksJson(join, alias) : type.toJson(columnText(alias, field.name), options)),
  };
}

function targetOf(schema: Schema, field: Field): ShapeField['target'] {
  if (field.type !== 'relation') return undefined;
  const target = schema.byId(String(field.options['targetId']));
  return target && { table: tableOf(target), name: target.name };
}

function columnText(alias: string, name: string): string {
  return quoteName(alias, name);
}
