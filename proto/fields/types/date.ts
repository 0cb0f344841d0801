import { z } from 'zod';
import { isCalendarDay } from '../calendar.ts';
import { acceptedText, notA, refused } from '../checked.ts';
import type { Checked, FieldType } from '../field-type.ts';

const day = z.string().refine(isCalendarDay, 'must be a day of the calendar as YYYY-MM-DD');

const options = z.strictObject({
  min: day.optional().meta({ description: 'Earliest day.', example: '2000-01-01' }),
  max: day.optional().meta({ description: 'Latest day.', example: '2099-12-31' }),
});

export type DateOptions = z.output<typeof options>;

/** A day of the calendar, without time or zone: `YYYY-MM-DD`. In this form the order of texts is the order of days. */
export const date = {
  name: 'date',
  options,
  problems: ({ min, max }) => (min !== undefined && max !== undefined && min > max ? [{ option: 'max', reason: 'must not be before min' }] : []),
  column: () => 'date',
  isList: () => false,
  checker,
  toJson: (column) => `to_json(${column})`,
  schema: () => ({ type: 'string', format: 'date' }),
} satisfies FieldType<DateOptions>;

function checker({ min, max }: DateOptions): (input: { readonly value: unknown }) => Checked {
  return ({ value }) => {
    if (typeof value !== 'string' || !isCalendarDay(value)) return notA('a date as YYYY-MM-DD');
    if (min !== undefined && value < min) return refused('too_small', { min });
    if (max !== undefined && value > max) return refused('too_large', { max });
    return acceptedText(value);
  };
}
