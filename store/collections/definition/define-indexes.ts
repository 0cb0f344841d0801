import { fault } from '../../../proto/errors/svc-error.ts';
import type { Field } from '../../../proto/fields/field-type.ts';
import { systemFieldNames } from '../../../proto/schema/definition.ts';
import type { IndexDefinition, IndexDraft, IndexedField } from '../../../proto/schema/collection.ts';
import type { FaultList } from '../../../proto/schema/faults.ts';
import { isComparable } from './define-field.ts';

export interface IndexDefining {
  readonly drafts: readonly (IndexDraft | undefined)[];
  readonly fields: readonly Field[];
  /** True where some field could not be read: a name that is unknown may be that one's. */
  readonly hasUnreadFields: boolean;
  readonly newId: () => string;
  readonly faults: FaultList;
}

/** The indexes that the drafts ask for; one that is there already, field by field, keeps its id. */
export function defineIndexes(
  input: IndexDefining,
  present: readonly IndexDefinition[],
  presentFields: readonly Field[],
): readonly IndexDefinition[] {
  const known = new Map(present.map((index) => [signature(index, presentFields), index.id]));
  const seen = new Set<string>();
  const indexes: IndexDefinition[] = [];
  input.drafts.forEach((draft, at) => {
    if (draft === undefined) return;
    const fields = draft.fields.map((text, position) => indexedField(input, draft, text, ['indexes', at, 'fields', position]));
    if (new Set(fields.map(({ name }) => name)).size < fields.length) input.faults.add(['indexes', at, 'fields'], fault('duplicate_name'));
    const index = { id: '', fields, unique: draft.unique };
    const mark = signature(index, input.fields);
    if (seen.has(mark)) input.faults.add(['indexes', at], fault('invalid_option', { reason: 'The same index is given twice.' }));
    seen.add(mark);
    indexes.push({ ...index, id: known.get(mark) ?? input.newId() });
  });
  return indexes;
}

/** The indexes that remain when only the fields change: renames are followed, an index of a field that is gone goes with it. */
export function carryIndexes(
  present: readonly IndexDefinition[],
  presentFields: readonly Field[],
  fields: readonly Field[],
): readonly IndexDefinition[] {
  return present.flatMap((index) => {
    const carried = index.fields.map((indexed) => carryField(index, indexed, presentFields, fields));
    const kept = carried.filter((indexed) => indexed !== undefined);
    return kept.length === carried.length ? [{ ...index, fields: kept }] : [];
  });
}

function carryField(
  { unique }: IndexDefinition,
  indexed: IndexedField,
  presentFields: readonly Field[],
  fields: readonly Field[],
): IndexedField | undefined {
  if (isSystemField(indexed.name)) return indexed;
  const id = presentFields.find((field) => field.name === indexed.name)?.id;
  const field = fields.find((candidate) => candidate.id === id);
  return field !== undefined && obstacle(field, { unique }) === undefined ? { ...indexed, name: field.name } : undefined;
}

function indexedField(input: IndexDefining, { unique }: IndexDraft, text: string, path: readonly (string | number)[]): IndexedField {
  const descending = text.startsWith('-');
  const name = descending ? text.slice(1) : text;
  const field = input.fields.find((candidate) => candidate.name === name);
  if (field === undefined && !isSystemField(name) && !input.hasUnreadFields) input.faults.add(path, fault('unknown_field'));
  const reason = field && obstacle(field, { unique });
  if (reason !== undefined) input.faults.add(path, fault('invalid_option', { reason }));
  return { name, descending };
}

/** Why the field cannot be in the index; a list of options can, but is no key: every record without a choice has the same, empty one. */
function obstacle(field: Field, { unique }: Pick<IndexDraft, 'unique'>): string | undefined {
  if (isComparable(field)) return undefined;
  if (field.type !== 'select') return 'Values of json and of relations to many cannot be indexed.';
  return unique ? 'Lists cannot be unique.' : undefined;
}

function isSystemField(name: string): boolean {
  return (systemFieldNames as readonly string[]).includes(name);
}

/** Fields by id, so that a rename changes nothing. */
function signature(index: IndexDefinition, fields: readonly Field[]): string {
  const parts = index.fields.map(({ name, descending }) => [fields.find((field) => field.name === name)?.id ?? name, descending]);
  return JSON.stringify([parts, index.unique]);
}
