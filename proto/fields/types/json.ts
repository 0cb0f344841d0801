import { z } from 'zod';
import { accepted, refused } from '../checked.ts';
import type { Checked, FieldInput, FieldType } from '../field-type.ts';

const sizeMax = 100_000_000;

const options = z.strictObject({
  maxSize: z.int().min(1).max(sizeMax).optional().meta({ description: 'Most bytes of the value as compact JSON (UTF-8).' }),
});

export type JsonOptions = z.output<typeof options>;

/** Any JSON value, kept as it was written: digits, order of keys and escapes included (hence `json`, not `jsonb`). */
export const json = {
  name: 'json',
  options,
  problems: () => [],
  column: () => 'json',
  isList: () => false,
  checker,
  toJson: (column) => column,
  schema: () => ({}),
} satisfies FieldType<JsonOptions>;

function checker({ maxSize = sizeMax }: JsonOptions): (input: FieldInput) => Checked {
  return (input) => {
    const raw = input.raw();
    if (sizeExceeds(raw, maxSize)) return refused('too_many_bytes', { max: maxSize });
    return accepted(raw, raw);
  };
}

/** UTF-8 takes one to three bytes for a UTF-16 unit, so that most texts need no counting. */
function sizeExceeds(raw: string, max: number): boolean {
  if (raw.length * 3 <= max) return false;
  return raw.length > max || new TextEncoder().encode(raw).length > max;
}
