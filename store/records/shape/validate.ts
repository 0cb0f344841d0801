import { fail, fault, type Fault } from '../../../proto/errors/svc-error.ts';
import type { FieldInput, FieldValue } from '../../../proto/fields/field-type.ts';
import { compact, memberTexts, type JsonBody } from '../../../proto/values/json.ts';
import type { RecordShape, ShapeField } from './shape.ts';

/** A body that is an object: its members, and their own texts for the fields that keep them exactly. */
export interface RecordBody {
  readonly members: Readonly<Record<string, unknown>>;
  readonly textOf: (name: string) => string;
}

/** The values of fields that passed, by field name. */
export type FieldValues = ReadonlyMap<string, FieldValue>;

/** The body of a record write; fails where it is not an object. */
export function recordBody(body: JsonBody): RecordBody {
  const { value, text } = body;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return fail('bad_request', { values: { reason: 'The body must be a JSON object.' } });
  let texts: ReadonlyMap<string, string> | undefined;
  return {
    members: value as Record<string, unknown>,
    textOf: (name) => (texts ??= memberTexts(text)).get(name) ?? 'null',
  };
}

/** Every field's value for a new record; fails with `validation_failed` naming each field at fault. */
export function valuesForCreate(shape: RecordShape, body: RecordBody, known: Faults = {}): FieldValues {
  return collect(shape.fields, known, (field) => {
    if (Object.hasOwn(body.members, field.name)) return checkMember(field, body);
    return field.field.default === undefined ? checkEmpty(field) : checkValue(field, defaultInput(field));
  });
}

/** The values of the fields that the body names; fails with `validation_failed` naming each field at fault. */
export function valuesForUpdate(shape: RecordShape, body: RecordBody, known: Faults = {}): FieldValues {
  const named = shape.fields.filter((field) => Object.hasOwn(body.members, field.name));
  return collect(named, known, (field) => checkMember(field, body));
}

/** What is wrong already, told together with the rest. */
type Faults = Readonly<Record<string, Fault>>;

type Outcome = { readonly value: FieldValue } | { readonly fault: Fault };

function collect(fields: readonly ShapeField[], known: Faults, check: (field: ShapeField) => Outcome): FieldValues {
  const values = new Map<string, FieldValue>();
  const faults: Record<string, Fault> = { ...known };
  for (const field of fields) {
    const outcome = check(field);
    if ('fault' in outcome) faults[field.name] = outcome.fault;
    else values.set(field.name, outcome.value);
  }
  if (Object.keys(faults).length > 0) fail('validation_failed', { data: faults });
  return values;
}

function checkMember(field: ShapeField, body: RecordBody): Outcome {
  const value = body.members[field.name];
  return checkValue(field, { value, raw: () => body.textOf(field.name) });
}

function checkValue(field: ShapeField, input: FieldInput): Outcome {
  if (isCleared(field, input.value)) return checkEmpty(field);
  if (field.field.required && isBlank(input.value)) return { fault: fault('required') };
  const checked = field.check(input);
  return checked.ok ? { value: checked.value } : { fault: checked.fault };
}

function checkEmpty(field: ShapeField): Outcome {
  if (field.field.required) return { fault: fault('required') };
  return { value: field.isList ? { json: '[]', sql: '{}' } : { json: 'null', sql: null } };
}

/** An empty string clears every field but text and json, where it is a value: forms send it for an empty input. */
function isCleared(field: ShapeField, value: unknown): boolean {
  if (value === null) return true;
  if (value === '') return field.field.type !== 'text' && field.field.type !== 'json';
  return field.isList && Array.isArray(value) && value.length === 0;
}

function isBlank(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return Array.isArray(value) && value.length === 0;
}

function defaultInput(field: ShapeField): FieldInput {
  const value = field.field.default;
  return { value, raw: () => compact(JSON.stringify(value)) };
}
