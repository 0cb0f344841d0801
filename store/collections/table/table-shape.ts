import type { Field, FieldType } from '../../../proto/fields/field-type.ts';
import { columnType, fieldTypes, isListField } from '../../../proto/fields/registry.ts';
import { relationOf } from '../../../proto/fields/types/relation.ts';
import type { CollectionDefinition, IndexedField } from '../../../proto/schema/collection.ts';

/**
 * What a definition comes to in Postgres: a table, join tables, indexes and foreign keys. Everything is keyed by ids or by
 * names made from ids, and refers to columns by field id, so that two shapes can be compared across renames.
 */
export interface TableShape {
  readonly collectionId: string;
  readonly table: string;
  /** Whether its records are accounts, with secrets and sessions elsewhere that go with them. */
  readonly hasAccounts: boolean;
  /** By field id. */
  readonly columns: ReadonlyMap<string, ColumnShape>;
  /** Relations to many, by field id. */
  readonly joins: ReadonlyMap<string, JoinShape>;
  /** By the index' name. */
  readonly indexes: ReadonlyMap<string, IndexShape>;
  /** By the constraint's name. */
  readonly foreignKeys: ReadonlyMap<string, ForeignKeyShape>;
}

export interface ColumnShape {
  readonly field: Field;
  readonly name: string;
  readonly type: string;
  /** Lists are never null. */
  readonly isList: boolean;
  /** The text that Postgres casts to the column's default; null: none. */
  readonly default: string | null;
}

export interface JoinShape {
  readonly field: Field;
  readonly targetId: string;
}

export interface IndexShape {
  readonly name: string;
  /** The fields it serves, for messages. */
  readonly fields: readonly Field[];
  /** A field id, or the name of a system column. */
  readonly parts: readonly { readonly column: string; readonly descending: boolean; readonly ignoresCase?: true }[];
  readonly unique: boolean;
}

export interface ForeignKeyShape {
  readonly name: string;
  readonly field: Field;
  readonly targetId: string;
}

export function tableShape(definition: CollectionDefinition): TableShape {
  const columns = definition.fields.flatMap(columnOf);
  const joins = definition.fields.flatMap(joinOf);
  const indexes = [
    recentIndex(definition.id),
    ...definition.fields.flatMap(fieldIndex),
    ...definition.indexes.map((index) => declaredIndex(index, definition.fields)),
  ];
  const foreignKeys = columns.flatMap(foreignKeyOf);
  return {
    collectionId: definition.id,
    table: definition.name,
    hasAccounts: definition.type === 'auth',
    columns: new Map(columns.map((column) => [column.field.id, column])),
    joins: new Map(joins.map((join) => [join.field.id, join])),
    indexes: new Map(indexes.map((index) => [index.name, index])),
    foreignKeys: new Map(foreignKeys.map((key) => [key.name, key])),
  };
}

/** The table that holds the links of a relation to many. */
export function joinTable(fieldId: string): string {
  return `_mn_${fieldId}`;
}

function columnOf(field: Field): ColumnShape[] {
  const type = columnType(field);
  if (type === null) return [];
  const isList = isListField(field);
  return [{ field, name: field.name, type, isList, default: defaultText(field) ?? (isList ? '{}' : null) }];
}

function defaultText(field: Field): string | null {
  if (field.default === undefined) return null;
  const type: Pick<FieldType<Field['options']>, 'checker'> = fieldTypes[field.type];
  const checked = type.checker(field.options)({ value: field.default, raw: () => JSON.stringify(field.default) });
  return checked.ok ? checked.value.sql : null;
}

function joinOf(field: Field): JoinShape[] {
  const relation = relationOf(field);
  return relation?.cardinality === 'M:N' ? [{ field, targetId: relation.targetId }] : [];
}

function foreignKeyOf({ field }: ColumnShape): ForeignKeyShape[] {
  const relation = relationOf(field);
  return relation === undefined ? [] : [{ name: `fk_${field.id}`, field, targetId: relation.targetId }];
}

/** Newest first is how lists are sorted unless they say otherwise. */
function recentIndex(collectionId: string): IndexShape {
  return { name: `ix_${collectionId}`, fields: [], parts: [ascending('created_at'), ascending('id')], unique: false };
}

/** A unique field has its index; a relation needs one for deletes of the target and for back-relations. */
function fieldIndex(field: Field): IndexShape[] {
  const relation = relationOf(field);
  if (relation?.cardinality === 'M:N') return [];
  if (field.unique || relation?.cardinality === '1:1') return [{ name: `ux_${field.id}`, fields: [field], parts: [uniquePart(field)], unique: true }];
  return relation === undefined ? [] : [{ name: `ix_${field.id}`, fields: [field], parts: [ascending(field.id), ascending('id')], unique: false }];
}

/** Sorting ends with the id, so an index that is not unique does too, in the direction of its last field. */
function declaredIndex(index: CollectionDefinition['indexes'][number], all: readonly Field[]): IndexShape {
  const fieldOf = ({ name }: IndexedField) => all.find((field) => field.name === name);
  const parts = index.fields.map((indexed) => ({ column: fieldOf(indexed)?.id ?? indexed.name, descending: indexed.descending }));
  const fields = index.fields.map(fieldOf).filter((field) => field !== undefined);
  const isTied = index.unique || parts.some(({ column }) => column === 'id');
  const tie = { column: 'id', descending: parts.at(-1)?.descending ?? false };
  return { name: `ix_${index.id}`, fields, parts: isTied ? parts : [...parts, tie], unique: index.unique };
}

/** Whether an index holds the field's values in their order, none in another form. */
export function hasUniqueIndex(field: Field): boolean {
  return field.unique && field.system !== true;
}

/** Names and addresses of accounts are one whatever their case. */
function uniquePart(field: Field): IndexShape['parts'][number] {
  return field.system === true ? { ...ascending(field.id), ignoresCase: true } : ascending(field.id);
}

function ascending(column: string): IndexShape['parts'][number] {
  return { column, descending: false };
}
