import { z } from 'zod';
import { acceptedText, notA, refused } from '../checked.ts';
import { domainJudge, domainOptions, domainProblems } from '../domains.ts';
import type { Checked, FieldType } from '../field-type.ts';

const options = z.strictObject(domainOptions);

export type EmailOptions = z.output<typeof options>;

/** RFC 5321, 4.5.3.1: 254 for an address that fits a path, 64 for its local part. */
const addressLengthMax = 254;
const addressPattern =
  /^(?=.{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])$/;

/** An e-mail address as mail is really sent: a dot-atom at a domain name of two labels or more; kept as it was given. */
export const email = {
  name: 'email',
  options,
  problems: domainProblems,
  column: () => 'text',
  isList: () => false,
  checker,
  toJson: (column) => `to_json(${column})`,
  schema: () => ({ type: 'string', format: 'email', maxLength: addressLengthMax }),
} satisfies FieldType<EmailOptions>;

function checker(given: EmailOptions): (input: { readonly value: unknown }) => Checked {
  const isAllowed = domainJudge(given);
  return ({ value }) => {
    if (typeof value !== 'string' || value.length > addressLengthMax || !addressPattern.test(value)) return notA('an e-mail address');
    return isAllowed(value.slice(value.lastIndexOf('@') + 1)) ? acceptedText(value) : refused('domain_not_allowed');
  };
}
