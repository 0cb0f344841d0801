import { fault } from '../../../proto/errors/svc-error.ts';
import type { Field, FieldOptions } from '../../../proto/fields/field-type.ts';
import { fieldTypes, isListField } from '../../../proto/fields/registry.ts';
import type { FieldDraft } from '../../../proto/schema/collection.ts';
import type { FaultList } from '../../../proto/schema/faults.ts';

export interface FieldDefining {
  readonly draft: FieldDraft;
  readonly index: number;
  readonly id: string;
  /** The id of the collection of this name, present or about to be. */
  readonly collectionId: (name: string) => string | undefined;
  readonly faults: FaultList;
}

/** The field that a draft asks for; what is wrong with it goes to the faults. */
export function defineField(input: FieldDefining): Field {
  const { draft, id } = input;
  const { name, type, required, unique, hidden } = draft;
  const field: Field = { id, name, type, required, unique, hidden, options: optionsOf(input) };
  for (const { option, reason } of fieldTypes[type].problems(field.options)) addOptionFault(input, option, `The value ${reason}.`);
  if (unique && !isComparable(field)) addOptionFault(input, 'unique', 'Lists and json values cannot be unique.');
  const value = defaultOf(input, field);
  return value === undefined ? field : { ...field, default: value };
}

/** Whether Postgres can order the values in an index, and one record has one of them. */
export function isComparable(field: Pick<Field, 'type' | 'options'>): boolean {
  return field.type !== 'json' && !isListField(field);
}

function optionsOf(input: FieldDefining): FieldOptions {
  const { draft } = input;
  if (draft.type === 'relation') return relationOptions(input, draft);
  const given: FieldOptions = draft;
  const names = Object.keys(fieldTypes[draft.type].options.shape).filter((option) => given[option] !== undefined);
  return Object.fromEntries(names.map((option) => [option, given[option]]));
}

function relationOptions(input: FieldDefining, { relationConfig }: Extract<FieldDraft, { type: 'relation' }>): FieldOptions {
  const { targetSvc, cardinality, onDelete } = relationConfig;
  const targetId = input.collectionId(targetSvc);
  if (targetId === undefined) input.faults.add(['fields', input.index, 'relationConfig', 'targetSvc'], fault('unknown_collection'));
  return { targetId: targetId ?? '', cardinality, onDelete };
}

/** The default as the field's own checks leave it; none where it is null or an empty list. */
function defaultOf(input: FieldDefining, field: Field): unknown {
  const value: unknown = input.draft.default ?? undefined;
  if (value === undefined || (isListField(field) && Array.isArray(value) && value.length === 0)) return undefined;
  const checked = fieldTypes[field.type].checker(field.options)({ value, raw: () => JSON.stringify(value) });
  if (checked.ok) return JSON.parse(checked.value.json) as unknown;
  input.faults.add(['fields', input.index, 'default'], checked.fault);
  return undefined;
}

function addOptionFault(input: FieldDefining, option: string, reason: string): void {
  input.faults.add(['fields', input.index, option], fault('invalid_option', { reason }));
}
