import { z } from 'zod';
import { acceptedList, acceptedText, isStorableText, notA, refused } from '../checked.ts';
import type { Checked, FieldType } from '../field-type.ts';

const optionsMax = 500;
const optionLengthMax = 255;

const options = z.strictObject({
  options: z
    .array(z.string().min(1).max(optionLengthMax).refine(isProperOption, 'must not be blank'))
    .min(1)
    .max(optionsMax)
    .meta({ description: 'The values to choose from.', example: ['draft', 'published'] }),
  maxSelect: z.int().min(1).max(optionsMax).default(1).meta({ description: 'How many may be chosen; above 1 the value is an array.' }),
});

export type SelectOptions = z.output<typeof options>;

/** One of the options, or a list of some; an option chosen twice counts once, the order chosen is kept. */
export const select = {
  name: 'select',
  options,
  problems,
  column: (given) => (isMultiple(given) ? 'text[]' : 'text'),
  isList: isMultiple,
  checker: (given) => (isMultiple(given) ? listChecker(given) : singleChecker(given)),
  toJson: (column) => `to_json(${column})`,
  schema,
} satisfies FieldType<SelectOptions>;

function isMultiple({ maxSelect }: SelectOptions): boolean {
  return maxSelect > 1;
}

function problems(given: SelectOptions) {
  return new Set(given.options).size === given.options.length ? [] : [{ option: 'options', reason: 'must not hold the same option twice' }];
}

function singleChecker(given: SelectOptions): (input: { readonly value: unknown }) => Checked {
  const known = new Map(given.options.map((option) => [option, acceptedText(option)]));
  return ({ value }) => {
    if (typeof value !== 'string') return notA('one of the options, as text');
    return known.get(value) ?? refused('not_an_option');
  };
}

function listChecker(given: SelectOptions): (input: { readonly value: unknown }) => Checked {
  const known = new Set<unknown>(given.options);
  return ({ value }) => {
    if (!Array.isArray(value)) return notA('a list of options');
    const chosen = new Set<string>();
    for (const item of value) {
      if (typeof item !== 'string') return notA('a list of options');
      if (!known.has(item)) return refused('not_an_option');
      chosen.add(item);
    }
    return chosen.size > given.maxSelect ? refused('too_many', { max: given.maxSelect }) : acceptedList([...chosen]);
  };
}

function schema(given: SelectOptions): Readonly<Record<string, unknown>> {
  const one = { type: 'string', enum: given.options };
  return isMultiple(given) ? { type: 'array', items: one, maxItems: given.maxSelect } : one;
}

function isProperOption(option: string): boolean {
  return isStorableText(option) && option.trim() !== '';
}
