import type { Field, FieldOptions } from '../../proto/fields/field-type.ts';
import { relationOf } from '../../proto/fields/types/relation.ts';
import type { CollectionDefinition } from '../../proto/schema/collection.ts';
import type { Schema } from './catalogue.ts';

/** A collection's JSON as clients see it (CONTRACT section 2). */
export function collectionText(collection: CollectionDefinition, schema: Schema): string {
  return JSON.stringify(collectionAnswer(collection, schema));
}

/** A collection as clients see it: relation targets by name, options beside the keys that every field has; what its type brings along is not listed. */
export function collectionAnswer(collection: CollectionDefinition, schema: Schema): Readonly<Record<string, unknown>> {
  const { id, name, type, system, fields, indexes, rules, auth, createdAt, updatedAt } = collection;
  const nameOf = (target: string) => (target === id ? name : schema.byId(target)?.name);
  return {
    id,
    name,
    type,
    system,
    fields: fields.filter((field) => field.system !== true).map((field) => fieldAnswer(field, nameOf)),
    indexes: indexes.map((index) => ({
      fields: index.fields.map((part) => (part.descending ? `-${part.name}` : part.name)),
      unique: index.unique,
    })),
    rules,
    ...(auth === undefined ? {} : { auth }),
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

function fieldAnswer(field: Field, nameOf: (id: string) => string | undefined): Readonly<Record<string, unknown>> {
  const { id, name, type, required, unique, hidden } = field;
  return { id, name, type, required, unique, hidden, default: field.default ?? null, ...optionsAnswer(field, nameOf) };
}

function optionsAnswer(field: Field, nameOf: (id: string) => string | undefined): FieldOptions {
  const relation = relationOf(field);
  if (relation === undefined) return field.options;
  const { targetId, cardinality, onDelete } = relation;
  return { relationConfig: { targetSvc: nameOf(targetId), cardinality, onDelete } };
}
