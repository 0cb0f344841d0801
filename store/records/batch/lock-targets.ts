import type { Schema } from '../../collections/catalogue.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { RecordDeps } from '../deps.ts';
import { lockAll } from '../lock-stored.ts';
import type { BatchWrite } from './read-batch.ts';

/** Locks what the writes change in one order, whatever theirs is: batches that meet wait for each other instead of for ever. */
export async function lockTargets(deps: RecordDeps, tx: Transaction, schema: Schema, writes: readonly BatchWrite[]): Promise<void> {
  const ids = new Map<string, Set<string>>();
  for (const { method, collection, id } of writes) {
    const known = schema.byName(collection)?.id;
    if (method === 'POST' || known === undefined) continue;
    ids.set(known, (ids.get(known) ?? new Set()).add(id));
  }
  for (const collectionId of [...ids.keys()].toSorted()) {
    const collection = schema.byId(collectionId);
    if (collection !== undefined) await lockAll(tx, deps.shapes.of(schema, collection), [...(ids.get(collectionId) ?? [])]);
  }
}
