import { z } from 'zod';
import { acceptedText, isStorableText, notA, refused } from '../checked.ts';
import { domainJudge, domainOptions, domainProblems } from '../domains.ts';
import type { Checked, FieldType } from '../field-type.ts';

const options = z.strictObject(domainOptions);

export type UrlOptions = z.output<typeof options>;

const urlLengthMax = 2_048;

/** What the URL parser would mend silently (white space, control characters, backslashes, missing slashes) is refused before it sees it. */
const plainForm = /^https?:\/\/[^/\\?#\s\p{Cc}][^\\\s\p{Cc}]*$/iu;

/** A web address (http or https), kept as it was given. */
export const url = {
  name: 'url',
  options,
  problems: domainProblems,
  column: () => 'text',
  isList: () => false,
  checker,
  toJson: (column) => `to_json(${column})`,
  schema: () => ({ type: 'string', format: 'uri', maxLength: urlLengthMax }),
} satisfies FieldType<UrlOptions>;

function checker(given: UrlOptions): (input: { readonly value: unknown }) => Checked {
  const isAllowed = domainJudge(given);
  return ({ value }) => {
    if (!isStorableText(value)) return notA('a URL that begins with http:// or https://');
    if (value.length > urlLengthMax) return refused('too_long', { max: urlLengthMax });
    const host = hostOf(value);
    if (host === undefined) return notA('a URL that begins with http:// or https://');
    return isAllowed(host) ? acceptedText(value) : refused('domain_not_allowed');
  };
}

function hostOf(value: string): string | undefined {
  if (!plainForm.test(value)) return undefined;
  try {
    return new URL(value).hostname || undefined;
  } catch {
    return undefined;
  }
}
