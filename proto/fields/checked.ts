import type { FaultCode } from '../errors/catalogue.ts';
import { fault } from '../errors/svc-error.ts';
import type { Checked } from './field-type.ts';

/** A value that passed, as its JSON text and as the text that Postgres casts. */
export function accepted(json: string, sql: string | null): Checked {
  return { ok: true, value: { json, sql } };
}

/** A text that passed: JSON writes it quoted, Postgres takes it as it is. */
export function acceptedText(text: string): Checked {
  return { ok: true, value: { json: JSON.stringify(text), sql: text } };
}

/** A list of texts that passed. */
export function acceptedList(texts: readonly string[]): Checked {
  return { ok: true, value: { json: JSON.stringify(texts), sql: arrayLiteral(texts) } };
}

export function refused(code: FaultCode, values?: Readonly<Record<string, string | number>>): Checked {
  return { ok: false, fault: fault(code, values) };
}

/** Refused because it is no `expected`, which completes the sentence "The value must be ...". */
export function notA(expected: string): Checked {
  return refused('invalid_type', { expected });
}

/** Whether Postgres and JSON can both hold the text: no NUL, no half of a surrogate pair. */
export function isStorableText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0') && value.isWellFormed();
}

/** Postgres' text form of a one-dimensional array (PostgreSQL, 8.15.2); every element is quoted, so `NULL` is a text like others. */
function arrayLiteral(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
