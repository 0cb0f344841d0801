import { z } from 'zod';
import { accepted, notA, refused } from '../checked.ts';
import type { Checked, FieldType } from '../field-type.ts';

const options = z.strictObject({
  min: z.number().optional().meta({ description: 'Least value.' }),
  max: z.number().optional().meta({ description: 'Greatest value.' }),
  integer: z.boolean().default(false).meta({ description: 'Whole numbers only, from -(2^53 - 1) to 2^53 - 1.' }),
});

export type NumberOptions = z.output<typeof options>;

const numericText = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

/** A double (IEEE 754 binary64), finite; what JSON readers everywhere take a number for. */
export const number = {
  name: 'number',
  options,
  problems: ({ min, max }) => (min !== undefined && max !== undefined && min > max ? [{ option: 'max', reason: 'must not be less than min' }] : []),
  column: () => 'double precision',
  isList: () => false,
  checker,
  toJson,
  schema: ({ min, max, integer }) => ({
    type: integer ? 'integer' : 'number',
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
  }),
} satisfies FieldType<NumberOptions>;

function checker({ min, max, integer }: NumberOptions): (input: { readonly value: unknown }) => Checked {
  const expected = integer ? 'a whole number' : 'a number';
  return ({ value }) => {
    const parsed = asNumber(value);
    if (!Number.isFinite(parsed) || (integer && !Number.isSafeInteger(parsed))) return notA(expected);
    if (min !== undefined && parsed < min) return refused('too_small', { min });
    if (max !== undefined && parsed > max) return refused('too_large', { max });
    // JSON.stringify writes -0 as 0; so must the column.
    const written = JSON.stringify(parsed);
    return accepted(written, written);
  };
}

function asNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && numericText.test(value) ? Number(value) : Number.NaN;
}

/**
 * Postgres and ECMAScript both print the shortest digits, but change to exponents at other sizes (1e+15 and 1e+21,
 * 1e-05 and 1e-07). The first branch is the usual one. NaN and the infinities, which only a hand can have written, are null.
 */
function toJson(column: string): string {
  return (
    `case when ${column} = 0 or abs(${column}) >= 1e-4 and abs(${column}) < 1e15 then to_json(${column})` +
    ` when abs(${column}) >= 1e-6 and abs(${column}) < 1e21 then to_json(${column}::text::numeric)` +
    ` when abs(${column}) <= 1.7976931348623157e308 then regexp_replace(${column}::text, 'e([+-])0', 'e\\1')::json end`
  );
}
