import type { RecordShape, ShapeField } from './shape/shape.ts';
import { documentText, rowOf, type Row } from './shape/document.ts';
import { updateShape } from './statements/update.sql.ts';
import type { Company } from './statements/write-columns.sql.ts';
import type { FieldValues } from './shape/validate.ts';
import type { WriteMember, WriteShape } from '../postgres/write-coalescer.ts';
import type { StoredRecord } from './view.ts';

/** What an update comes to, once it has been laid over the record as it is stored. */
export interface Change {
  readonly before: Row;
  readonly after: Row;
  /** The fields whose value differs; none: there is nothing to write. */
  readonly changed: readonly ShapeField[];
  readonly member: WriteMember;
}

/** Lays `values` over a stored record; `stored.document` shows all fields. */
export function changeOf(shape: RecordShape, stored: StoredRecord, values: FieldValues, at: string): Change {
  const before = rowOf(stored.document);
  const changed = shape.fields.filter((field) => isChanged(field, before, values));
  const texts = new Map(before.texts);
  for (const { name } of changed) texts.set(name, values.get(name)?.json ?? 'null');
  const after: Row = { ...before, updatedAt: at, texts };
  const columns = changed.map((field) => values.get(field.name)?.sql ?? null);
  const documents = [documentText(shape, before, 'public'), documentText(shape, after, 'public')];
  return { before, after, changed, member: [before.id, stored.seq, at, ...documents, ...columns] };
}

/** The statement that writes the change of just these fields. */
export function compiledUpdate(shape: RecordShape, changed: readonly ShapeField[], company: Company): WriteShape {
  const key = `update ${company} ${changed.map((field) => field.field.id).join()}`;
  return shape.compiled.get(key, () => updateShape(shape, changed, company));
}

/** Texts decide, but for numbers: Postgres and JavaScript may print one number in two ways. */
function isChanged(field: ShapeField, before: Row, values: FieldValues): boolean {
  const next = values.get(field.name)?.json;
  if (next === undefined) return false;
  const now = before.texts.get(field.name) ?? 'null';
  if (now === next) return false;
  return field.field.type !== 'number' || now === 'null' || next === 'null' || Number(now) !== Number(next);
}
