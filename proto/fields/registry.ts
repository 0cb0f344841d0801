import type { Field, FieldOptions, FieldType, FieldTypeName } from './field-type.ts';
import { bool } from './types/bool.ts';
import { date } from './types/date.ts';
import { datetime } from './types/datetime.ts';
import { email } from './types/email.ts';
import { json } from './types/json.ts';
import { number } from './types/number.ts';
import { relation } from './types/relation.ts';
import { select } from './types/select.ts';
import { text } from './types/text.ts';
import { url } from './types/url.ts';

/** Every field type there is. A caller passes a field's own options to its own type, which made them. */
export const fieldTypes: Readonly<Record<FieldTypeName, FieldType<FieldOptions>>> = {
  text,
  number,
  bool,
  email,
  url,
  date,
  datetime,
  json,
  select,
  relation,
};

export function isFieldTypeName(name: unknown): name is FieldTypeName {
  return typeof name === 'string' && Object.hasOwn(fieldTypes, name);
}

/** Whether the field's value is a list (absent is `[]`). */
export function isListField(field: Pick<Field, 'type' | 'options'>): boolean {
  return fieldTypes[field.type].isList(field.options);
}

/** The Postgres type of the field's column; null where its values live in a join table. */
export function columnType(field: Pick<Field, 'type' | 'options'>): string | null {
  return fieldTypes[field.type].column(field.options);
}
