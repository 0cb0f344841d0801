import { z } from 'zod';
import { wireTime } from '../../values/time.ts';
import { parseInstant } from '../calendar.ts';
import { acceptedText, notA, refused } from '../checked.ts';
import type { Checked, FieldType } from '../field-type.ts';

const instant = z.string().refine((value) => parseInstant(value) !== undefined, 'must be a time in RFC 3339 form, such as 2026-01-31T12:00:00Z');

const options = z.strictObject({
  min: instant.optional().meta({ description: 'Earliest instant.', example: '2000-01-01T00:00:00Z' }),
  max: instant.optional().meta({ description: 'Latest instant.', example: '2099-12-31T23:59:59Z' }),
});

export type DatetimeOptions = z.output<typeof options>;

/** An instant, given with any offset, kept in UTC to the millisecond. */
export const datetime = {
  name: 'datetime',
  options,
  problems: (given) => (bound(given.min, -Infinity) > bound(given.max, Infinity) ? [{ option: 'max', reason: 'must not be before min' }] : []),
  column: () => 'timestamptz(3)',
  isList: () => false,
  checker,
  // to_char gives null for the infinities, which only a hand can have written.
  toJson: (column) => `to_json(to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`,
  schema: () => ({ type: 'string', format: 'date-time' }),
} satisfies FieldType<DatetimeOptions>;

function checker({ min, max }: DatetimeOptions): (input: { readonly value: unknown }) => Checked {
  const minMs = bound(min, -Infinity);
  const maxMs = bound(max, Infinity);
  return ({ value }) => {
    const ms = typeof value === 'string' ? parseInstant(value) : undefined;
    if (ms === undefined) return notA('a time in RFC 3339 form, such as 2026-01-31T12:00:00Z');
    if (ms < minMs) return refused('too_small', { min: wireTime(minMs) });
    if (ms > maxMs) return refused('too_large', { max: wireTime(maxMs) });
    return acceptedText(wireTime(ms));
  };
}

function bound(text: string | undefined, open: number): number {
  return text === undefined ? open : (parseInstant(text) ?? open);
}
