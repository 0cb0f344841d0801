import { fail } from '../../proto/errors/svc-error.ts';
import { relationOf } from '../../proto/fields/types/relation.ts';
import type { CollectionDefinition } from '../../proto/schema/collection.ts';
import type { Transaction } from '../postgres/transaction.ts';
import type { Reference, Schema } from './catalogue.ts';
import { changeSchema, type Around, type CollectionDeps, type SchemaWork } from './change-schema.ts';
import { joinTable } from './table/table-shape.ts';
import { countRecords, deleteRecords, insertTruncation, lockForTruncate, someReference, truncateTables } from './truncate.sql.ts';

export interface CollectionTruncation {
  readonly name: string;
  readonly around?: Around | undefined;
}

/** Removes all records of a collection; refused while records of other collections refer to some. Answers how many there were. */
export function truncateCollection(deps: CollectionDeps, input: CollectionTruncation): Promise<string> {
  const change = { label: 'collections.truncate', plan: { only: false, hash: '' }, around: input.around };
  return changeSchema(deps, change, async ({ tx, schema }: SchemaWork) => {
    const collection = schema.byName(input.name) ?? fail('collection_not_found');
    if (collection.system) fail('collection_protected');
    const references = schema.referencesTo(collection.id).filter((reference) => reference.collection.id !== collection.id);
    await tx.query('collections.truncate-lock', lockForTruncate(collection.name));
    await requireNoReferences(tx, references);
    const deleted = await countOf(tx, collection);
    if (deleted > 0) await empty(tx, schema, collection, references);
    return JSON.stringify({ deleted });
  });
}

async function requireNoReferences(tx: Transaction, references: readonly Reference[]): Promise<void> {
  const names = new Set<string>();
  for (const reference of references) {
    const found = await tx.query('collections.truncate-check', referenceQuestion(reference));
    if (found.length > 0) names.add(reference.collection.name);
  }
  if (names.size > 0)
    fail('data_conflict', { values: { reason: `records of ${[...names].join(', ')} refer to these; change or delete those first` } });
}

function referenceQuestion({ collection, fieldId }: Reference) {
  const field = collection.fields.find(({ id }) => id === fieldId);
  if (field === undefined) throw new TypeError(`the collection ${collection.name} has no field ${fieldId}`);
  return relationOf(field)?.cardinality === 'M:N' ? someReference(joinTable(fieldId), 'target') : someReference(collection.name, field.name);
}

async function countOf(tx: Transaction, collection: CollectionDefinition): Promise<number> {
  const [row] = await tx.query<{ total: string }>('collections.truncate-count', countRecords(collection.name));
  return Number(row?.total ?? 0);
}

async function empty(tx: Transaction, schema: Schema, collection: CollectionDefinition, references: readonly Reference[]): Promise<void> {
  const joins = collection.fields.filter((field) => relationOf(field)?.cardinality === 'M:N').map(({ id }) => joinTable(id));
  if (references.length === 0) await tx.query('collections.truncate', truncateTables([collection.name, ...joins]));
  else {
    if (joins.length > 0) await tx.query('collections.truncate', truncateTables(joins));
    await tx.query('collections.truncate', deleteRecords(collection.name));
  }
  await tx.execute(insertTruncation, [collection.id, schema.version]);
}
