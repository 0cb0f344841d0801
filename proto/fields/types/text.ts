import { RE2JS } from 're2js';
import { z } from 'zod';
import { acceptedText, isStorableText, notA, refused } from '../checked.ts';
import type { Checked, FieldType } from '../field-type.ts';

const lengthMax = 10_000_000;
const patternLengthMax = 500;

/**
 * Steps a match may take at most (characters times instructions of the compiled pattern), which bounds the length of
 * a value that has a pattern. The engine is linear and takes about 13 ns a step, so the longest match is near 65 ms;
 * the usual pattern of ten instructions is not bounded below half a million characters.
 */
const matchStepsMax = 5_000_000;

const options = z.strictObject({
  min: z.int().min(0).max(lengthMax).optional().meta({ description: 'Least number of characters (code points).' }),
  max: z.int().min(1).max(lengthMax).optional().meta({ description: 'Most characters (code points).' }),
  pattern: z.string().min(1).max(patternLengthMax).refine(isPattern, 'must be a regular expression in RE2 syntax').optional().meta({
    description: 'A regular expression in RE2 syntax that some part of the value must match; anchor it with ^ and $ to mean all of it.',
    example: '^[a-z0-9-]+$',
  }),
});

export type TextOptions = z.output<typeof options>;

/** Any text; lengths count characters as Unicode does, not UTF-16 units. */
export const text = {
  name: 'text',
  options,
  problems: ({ min, max }) => (min !== undefined && max !== undefined && min > max ? [{ option: 'max', reason: 'must not be less than min' }] : []),
  column: () => 'text',
  isList: () => false,
  checker,
  toJson: (column) => `to_json(${column})`,
  schema: ({ min, max, pattern }) => ({
    type: 'string',
    ...(min === undefined ? {} : { minLength: min }),
    ...(max === undefined ? {} : { maxLength: max }),
    ...(pattern === undefined || !isEcmaPattern(pattern) ? {} : { pattern }),
  }),
} satisfies FieldType<TextOptions>;

function checker({ min = 0, max = lengthMax, pattern }: TextOptions): (input: { readonly value: unknown }) => Checked {
  const isMatch = pattern === undefined ? undefined : boundedMatch(pattern);
  return ({ value }) => {
    if (!isStorableText(value)) return notA('text');
    const outcome = lengthFault(value, min, max);
    if (outcome !== undefined) return outcome;
    return isMatch?.(value) ?? acceptedText(value);
  };
}

/** The fault of a text that is too short or too long. Counting is skipped where the number of UTF-16 units decides already. */
function lengthFault(value: string, min: number, max: number): Checked | undefined {
  const isSurelyWithin = value.length <= max && value.length >= min * 2;
  if (isSurelyWithin) return undefined;
  const characters = value.length > max * 2 ? value.length : countCharacters(value);
  if (characters < min) return refused('too_short', { min });
  return characters > max ? refused('too_long', { max }) : undefined;
}

function countCharacters(value: string): number {
  let count = 0;
  for (let at = 0; at < value.length; at += 1) {
    const unit = value.charCodeAt(at);
    // The second half of a pair does not count; the text is known to be well-formed.
    if (unit < 0xdc00 || unit > 0xdfff) count += 1;
  }
  return count;
}

function boundedMatch(pattern: string): (value: string) => Checked | undefined {
  // Compiled when first needed: a pattern at the limits takes 10 ms, and a collection may have 500.
  let compiled: RE2JS | undefined;
  return (value) => {
    compiled ??= RE2JS.compile(pattern);
    const max = Math.floor(matchStepsMax / Math.max(1, compiled.programSize()));
    if (value.length > max) return refused('too_long', { max });
    return compiled.test(value) ? undefined : refused('pattern_mismatch');
  };
}

function isPattern(pattern: string): boolean {
  try {
    RE2JS.compile(pattern);
    return true;
  } catch {
    return false;
  }
}

/** OpenAPI patterns are ECMA-262's; what only RE2 understands is left out of the document. */
function isEcmaPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').source !== '';
  } catch {
    return false;
  }
}
