import { z } from 'zod';
import { accepted, notA } from '../checked.ts';
import type { Checked, FieldType } from '../field-type.ts';

const options = z.strictObject({});

export type BoolOptions = z.output<typeof options>;

/** True or false; "true", "false", 1 and 0 are understood on write. */
export const bool = {
  name: 'bool',
  options,
  problems: () => [],
  column: () => 'boolean',
  isList: () => false,
  checker: () => check,
  toJson: (column) => `to_json(${column})`,
  schema: () => ({ type: 'boolean' }),
} satisfies FieldType<BoolOptions>;

function check({ value }: { readonly value: unknown }): Checked {
  if (value === true || value === 'true' || value === 1) return accepted('true', 'true');
  if (value === false || value === 'false' || value === 0) return accepted('false', 'false');
  return notA('true or false');
}
