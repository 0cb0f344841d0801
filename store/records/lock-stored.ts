import { fail } from '../../proto/errors/svc-error.ts';
import { StaleCatalogue } from '../postgres/stale-catalogue.ts';
import type { Transaction } from '../postgres/transaction.ts';
import { arrayLiteral } from '../postgres/write-coalescer.ts';
import type { RecordShape } from './shape/shape.ts';
import { lockByIds, selectByIds } from './statements/read.sql.ts';
import type { StoredRecord } from './view.ts';

/** Locks one record and reads it with all its fields; fails with `record_not_found`. */
export async function lockStored(tx: Transaction, shape: RecordShape, id: string): Promise<StoredRecord> {
  const locked = await lockAll(tx, shape, [id]);
  return locked.get(id) ?? fail('record_not_found');
}

/** Locks records in the order of their ids and reads them with all their fields; what is gone is left out. */
export async function lockAll(tx: Transaction, shape: RecordShape, ids: readonly string[]): Promise<ReadonlyMap<string, StoredRecord>> {
  const wanted = arrayLiteral(ids);
  await tx.execute(
    shape.compiled.get('lock', () => lockByIds(shape)),
    [wanted],
  );
  const read = shape.compiled.get('read locked', () => selectByIds(shape, 'full'));
  const rows = await tx.execute(read, [shape.schema.version, wanted]);
  if (rows[0]?.[0] !== shape.schema.version) throw new StaleCatalogue();
  return new Map(
    rows.flatMap(([, id, document, seq]) => (id === null || id === undefined ? [] : [[id, { document: document ?? '', seq: seq ?? '' }] as const])),
  );
}
