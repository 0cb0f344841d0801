import { fail } from '../../../proto/errors/svc-error.ts';
import type { FieldValue } from '../../../proto/fields/field-type.ts';
import { wireTime } from '../../../proto/values/time.ts';
import { memberTexts } from '../../../proto/values/json.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { arrayLiteral, type WriteMember } from '../../postgres/write-coalescer.ts';
import { writeIn } from '../alone.ts';
import { CascadeWalk, type Found } from './cascade-walk.ts';
import { changeOf, compiledUpdate, type Change } from '../change.ts';
import type { RecordDeps } from '../deps.ts';
import { documentText, rowOf } from '../shape/document.ts';
import { lockAll } from '../lock-stored.ts';
import type { RecordShape, ShapeField } from '../shape/shape.ts';
import { deleteShape } from '../statements/delete.sql.ts';
import type { FieldValues } from '../shape/validate.ts';
import type { StoredRecord } from '../view.ts';

const walksMax = 5;
const writesPerStatement = 500;

/** Rows by collection id and record id. */
type Locked = ReadonlyMap<string, ReadonlyMap<string, StoredRecord>>;

/** All that a delete touches, every row of it locked. */
interface LockedCascade {
  readonly found: ReadonlyMap<string, Found>;
  readonly locked: Locked;
}

/**
 * Deletes a record and carries out what its references ask for, all inside `tx`, each through the statements that every
 * write uses: foreign-key actions would leave no row in the log.
 */
export async function deleteWithCascade(
  deps: RecordDeps,
  tx: Transaction,
  shape: RecordShape,
  id: string,
  requireVersion: (seq: string) => void,
): Promise<void> {
  const { found, locked } = await lockCascade(deps, tx, shape, id);
  const target = locked.get(shape.collection.id)?.get(id);
  if (target === undefined) return fail('record_not_found');
  requireVersion(target.seq);
  const at = wireTime(deps.clock.now());
  for (const touched of found.values()) await unlink(tx, touched, { found, locked }, at);
  for (const touched of found.values()) await remove(tx, touched, locked);
}

/**
 * Walks, locks every row found in the order of (collection, id), and walks again until nothing new is found. A reference
 * added between walk and lock is seen the second time; one added later meets the deferred foreign key.
 */
async function lockCascade(deps: RecordDeps, tx: Transaction, shape: RecordShape, id: string): Promise<LockedCascade> {
  let sizeBefore = 0;
  for (let round = 1; round <= walksMax; round += 1) {
    const walk = new CascadeWalk(deps.shapes, tx);
    await walk.from(shape, id);
    const locked = await lockFound(tx, walk.found);
    if (walk.size === sizeBefore) return { found: walk.found, locked };
    sizeBefore = walk.size;
  }
  return fail('write_conflict');
}

async function lockFound(tx: Transaction, found: ReadonlyMap<string, Found>): Promise<Locked> {
  const locked = new Map<string, ReadonlyMap<string, StoredRecord>>();
  for (const [id, { shape, deleted, unlinked }] of [...found].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    locked.set(id, await lockAll(tx, shape, [...new Set([...deleted, ...unlinked.keys()])]));
  }
  return locked;
}

async function unlink(tx: Transaction, { shape, deleted, unlinked }: Found, { found, locked }: LockedCascade, at: string): Promise<void> {
  const groups = new Map<string, Change[]>();
  for (const [id, fields] of unlinked) {
    const stored = locked.get(shape.collection.id)?.get(id);
    if (stored === undefined || deleted.has(id)) continue;
    const change = changeOf(shape, stored, withoutTargets(stored, fields, found), at);
    const key = change.changed.map((field) => field.field.id).join();
    if (change.changed.length > 0) groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  for (const changes of groups.values()) {
    const changed = changes[0]?.changed ?? [];
    await writeAll(
      changes.map((change) => change.member),
      (members) => writeIn(tx, compiledUpdate(shape, changed, 'alone'), members),
    );
  }
}

/** The values of `fields` once what is deleted has gone from them. */
function withoutTargets(stored: StoredRecord, fields: ReadonlySet<ShapeField>, found: ReadonlyMap<string, Found>): FieldValues {
  const texts = memberTexts(stored.document);
  const values = new Map<string, FieldValue>();
  for (const field of fields) {
    const gone = found.get(String(field.field.options['targetId']))?.deleted;
    values.set(field.name, field.isList ? listWithout(texts.get(field.name) ?? '[]', gone) : { json: 'null', sql: null });
  }
  return values;
}

function listWithout(list: string, gone: ReadonlySet<string> | undefined): FieldValue {
  const left = (JSON.parse(list) as string[]).filter((id) => !gone?.has(id));
  return { json: JSON.stringify(left), sql: arrayLiteral(left) };
}

async function remove(tx: Transaction, { shape, deleted }: Found, locked: Locked): Promise<void> {
  const rows = [...(locked.get(shape.collection.id) ?? [])].filter(([id]) => deleted.has(id));
  const members = rows.map(([id, { seq, document }]) => [id, seq, documentText(shape, rowOf(document), 'public')]);
  const statement = shape.compiled.get('delete alone', () => deleteShape(shape, 'alone'));
  await writeAll(members, (some) => writeIn(tx, statement, some));
}

async function writeAll(members: readonly WriteMember[], write: (some: readonly WriteMember[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < members.length; from += writesPerStatement) await write(members.slice(from, from + writesPerStatement));
}
