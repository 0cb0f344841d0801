import type { Field } from '../../../proto/fields/field-type.ts';
import { columnType, isListField } from '../../../proto/fields/registry.ts';
import type { CollectionDefinition } from '../../../proto/schema/definition.ts';
import type { FieldRef } from './typed-tree.ts';

/** The field of `collection` called `name`, also by the older names of the system fields; undefined where there is none to see. */
export function findField(collection: CollectionDefinition, name: string, sight: 'public' | 'full'): FieldRef | undefined {
  const field = collection.fields.find((each) => each.name === name);
  if (field !== undefined) return field.hidden && sight === 'public' ? undefined : fieldRef(collection, field);
  const system = systemNames.get(name);
  if (system === undefined) return undefined;
  const place = { id: system, name: system, type: system === 'id' ? 'text' : 'datetime', place: 'column' } as const;
  return { collectionId: collection.id, collection: collection.name, ...place };
}

export function fieldRef(collection: CollectionDefinition, field: Field): FieldRef {
  const listPlace = columnType(field) === null ? 'links' : 'list';
  const place = isListField(field) ? listPlace : 'column';
  return { collectionId: collection.id, collection: collection.name, id: field.id, name: field.name, type: field.type, place };
}

const systemNames: ReadonlyMap<string, 'id' | 'created_at' | 'updated_at'> = new Map([
  ['id', 'id'],
  ['created_at', 'created_at'],
  ['created', 'created_at'],
  ['createdAt', 'created_at'],
  ['updated_at', 'updated_at'],
  ['updated', 'updated_at'],
  ['updatedAt', 'updated_at'],
]);
