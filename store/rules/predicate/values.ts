import { parseInstant } from '../../../proto/fields/calendar.ts';
import { wireTime } from '../../../proto/values/time.ts';
import type { ChangedOperand, ComparedAs, FieldOperand, Operand, RequestOperand, StrftimeOperand, ValueType } from '../check/typed-tree.ts';
import { typeOf } from '../check/fit.ts';
import { lowerAscii } from '../operators/like.ts';
import { jsonNumber, numberText } from '../operators/number-text.ts';
import { timeParts } from '../operators/time-parts.sql.ts';
import type { Value } from '../operators/value.ts';
import { macros } from '../request/macros.ts';
import { requestList, requestValue } from '../request/request-value.ts';
import { lookUp, memberOf } from '../request/request-values.ts';
import type { Reading } from './reading.ts';

type Read<Result> = (reading: Reading) => Result;

/** The operand's values as `as`: one, or those of a list, which is [null] where it is empty; undefined where it is absent. */
export function valuesOf(operand: Operand, as: ComparedAs): Read<readonly Value[] | undefined> {
  switch (operand.kind) {
    case 'literal':
      return constant(literalValue(operand.text, as));
    case 'macro':
      return ({ now }) => [converted(macros[operand.name].at(now), { from: macros[operand.name].type, to: as })];
    case 'request':
      return requestValues(operand, as);
    case 'changed':
      return (reading) => [converted(hasChanged(operand, reading), { from: 'bool', to: as })];
    case 'field':
      return fieldValues(operand, as);
    case 'lower':
      return mapped(valuesOf(operand.of, 'text'), (value) =>
        converted(typeof value === 'string' ? lowerAscii(value) : value, { from: 'text', to: as }),
      );
    case 'strftime':
      return mapped(valuesOf(operand.of, 'instant'), (value) =>
        converted(typeof value === 'number' ? formatted(operand, value) : null, { from: 'text', to: as }),
      );
    case 'distance':
      throw new TypeError('distances are computed by the database');
  }
}

function constant(value: Value): Read<readonly Value[]> {
  const values = [value];
  return () => values;
}

function mapped(read: Read<readonly Value[] | undefined>, change: (value: Value) => Value): Read<readonly Value[] | undefined> {
  return (reading) => read(reading)?.map(change);
}

function literalValue(text: string | null, as: ComparedAs): Value {
  if (as === 'presence') return false;
  if (text === null) return null;
  if (as === 'number') return Number(text);
  if (as === 'bool') return text === 'true';
  return as === 'instant' ? (parseInstant(text) ?? null) : text;
}

function requestValues(operand: RequestOperand, as: ComparedAs): Read<readonly Value[] | undefined> {
  if (operand.form === 'each') {
    return ({ request }) => {
      const list = requestList(request, operand);
      return (
        list &&
        orMissing(
          list.map((text) => converted(text, { from: 'text', to: as })),
          as,
        )
      );
    };
  }
  const { form } = operand;
  if (form === 'value') return ({ request }) => listOf(requestValue(request, operand, as));
  const from = form === 'length' ? 'number' : 'bool';
  return ({ request }) => listOf(requestValue(request, operand, form))?.map((value) => converted(value, { from, to: as }));
}

function listOf(value: Value | undefined): readonly Value[] | undefined {
  return value === undefined ? undefined : [value];
}

function fieldValues(operand: FieldOperand, as: ComparedAs): Read<readonly Value[]> {
  const { field, path, form } = operand;
  const read: Read<unknown> = ({ row }) => path.reduce<unknown>(memberOf, Object.hasOwn(row, field.name) ? row[field.name] : undefined);
  if (form === 'length') return (reading) => [converted(lengthOf(operand, read(reading)), { from: 'number', to: as })];
  const value = field.type === 'json' ? (found: unknown) => jsonValue(found, as) : storedValue(operand, as);
  if (form === 'value') return (reading) => [value(read(reading))];
  return (reading) => {
    const found = read(reading);
    return orMissing(Array.isArray(found) ? (found as unknown[]).map(value) : [], as);
  };
}

function orMissing(values: readonly Value[], as: ComparedAs): readonly Value[] {
  return values.length > 0 ? values : [as === 'presence' ? false : null];
}

function lengthOf({ field }: FieldOperand, found: unknown): number | null {
  if (Array.isArray(found)) return found.length;
  return field.type === 'json' ? null : 0;
}

function jsonValue(found: unknown, as: ComparedAs): Value {
  if (as === 'presence') return found !== undefined && found !== null && found !== '';
  if (as === 'number') return typeof found === 'number' ? jsonNumber(found) : null;
  if (as === 'bool') return typeof found === 'boolean' ? found : null;
  if (typeof found === 'number') {
    const usable = jsonNumber(found);
    return usable === null ? null : numberText(usable);
  }
  return typeof found === 'boolean' || typeof found === 'string' ? String(found) : null;
}

/** How a column's JSON becomes the value that is compared. */
function storedValue(operand: FieldOperand, as: ComparedAs): (found: unknown) => Value {
  const type = typeOf(operand);
  if (type === 'instant') return (found) => converted(typeof found === 'string' ? (parseInstant(found) ?? null) : null, { from: 'instant', to: as });
  const from: ValueType = type === 'number' || type === 'bool' || type === 'date' ? type : 'text';
  return (found) => converted(isScalar(found) ? found : null, { from, to: as });
}

function isScalar(found: unknown): found is string | number | boolean {
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean';
}

function converted(value: Value, { from, to }: { readonly from: ValueType; readonly to: ComparedAs }): Value {
  if (to === 'presence') return value !== null && value !== '';
  if (from === to || value === null) return value;
  if (to === 'instant' && from === 'date') return parseInstant(`${String(value)}T00:00:00Z`) ?? null;
  if (to !== 'text') throw new TypeError(`${from} does not become ${to}`);
  if (from === 'instant') return wireTime(Number(value));
  return typeof value === 'number' ? numberText(value) : String(value);
}

function formatted({ format }: StrftimeOperand, ms: number): string {
  const at = new Date(ms);
  return format.map((piece) => timeParts.get(piece)?.text(at) ?? piece).join('');
}

/** Whether the body has a value for the field, and another one than the row has, or had before it was changed. What cannot be such a value is another one. */
function hasChanged({ field }: ChangedOperand, reading: Reading): boolean {
  const given = { part: 'body', path: [field.name] } as const;
  if (lookUp(reading.request, 'body', [field.name]) === undefined) return false;
  if (reading.request.changes !== undefined) return reading.request.changes.has(field.name);
  const stored = reading.row[field.name] ?? null;
  if (field.place !== 'column') return !isSameList(stored, requestList(reading.request, given) ?? []);
  const operand: FieldOperand = { kind: 'field', row: { kind: 'record' }, field, path: [], form: 'value' };
  const type = typeOf(operand);
  if (type === 'any' || type === 'json' || type === 'nothing') throw new TypeError('a json field has no :changed');
  const value = requestValue(reading.request, given, type) ?? null;
  const was = storedValue(operand, type)(stored);
  return type === 'text' ? (value ?? '') !== (was ?? '') : value !== was;
}

function isSameList(stored: unknown, given: readonly string[]): boolean {
  return Array.isArray(stored) && stored.length === given.length && stored.every((each, index) => each === given[index]);
}
