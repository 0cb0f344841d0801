import { z } from 'zod';
import { bool } from '../fields/types/bool.ts';
import { date } from '../fields/types/date.ts';
import { datetime } from '../fields/types/datetime.ts';
import { email } from '../fields/types/email.ts';
import { json } from '../fields/types/json.ts';
import { number } from '../fields/types/number.ts';
import { relation } from '../fields/types/relation.ts';
import { select } from '../fields/types/select.ts';
import { text } from '../fields/types/text.ts';
import { url } from '../fields/types/url.ts';
import { isReservedFieldName, namePattern } from './names.ts';

const id = z.string().max(64);
// A message that is a fault code stands for that fault (faults.ts).
const name = z
  .string()
  .regex(namePattern, 'invalid_name')
  .refine((given) => !isReservedFieldName(given), 'reserved_name')
  .meta({ description: 'Name of the field, unique in the collection ignoring case.', example: 'title' });
const required = z.boolean().default(false).meta({ description: 'Null, blank text and empty lists are refused.' });
const unique = z.boolean().default(false).meta({ description: 'No two records may have the same value.' });
const hidden = z.boolean().default(false).meta({ description: 'Never shown to callers other than root and the admin key.' });
const value = z.unknown().meta({ description: 'What a record gets that is created without a value; null: nothing.' });

const given = {
  id: id
    .optional()
    .meta({ description: 'Given by the service. On update an entry is matched by its id, else by its name.', example: 'k3v9x0a1b2c3' }),
  name,
  required,
  unique,
  hidden,
  default: value.optional(),
};
const answered = { id, name: z.string(), required, unique, hidden, default: value };

/** One field as a definition gives it, by its type. */
export const FieldInput = z
  .discriminatedUnion('type', [
    z.strictObject({ ...given, type: z.literal('text'), ...text.options.shape }).meta({ id: 'TextFieldInput' }),
    z.strictObject({ ...given, type: z.literal('number'), ...number.options.shape }).meta({ id: 'NumberFieldInput' }),
    z.strictObject({ ...given, type: z.literal('bool'), ...bool.options.shape }).meta({ id: 'BoolFieldInput' }),
    z.strictObject({ ...given, type: z.literal('email'), ...email.options.shape }).meta({ id: 'EmailFieldInput' }),
    z.strictObject({ ...given, type: z.literal('url'), ...url.options.shape }).meta({ id: 'UrlFieldInput' }),
    z.strictObject({ ...given, type: z.literal('date'), ...date.options.shape }).meta({ id: 'DateFieldInput' }),
    z.strictObject({ ...given, type: z.literal('datetime'), ...datetime.options.shape }).meta({ id: 'DatetimeFieldInput' }),
    z.strictObject({ ...given, type: z.literal('json'), ...json.options.shape }).meta({ id: 'JsonFieldInput' }),
    z.strictObject({ ...given, type: z.literal('select'), ...select.options.shape }).meta({ id: 'SelectFieldInput' }),
    z.strictObject({ ...given, type: z.literal('relation'), ...relation.options.shape }).meta({ id: 'RelationFieldInput' }),
  ])
  .meta({ id: 'FieldInput', description: 'A field: the keys that every field has, and the options of its type beside them.' });

/** One field as an answer shows it. */
export const FieldSchema = z
  .discriminatedUnion('type', [
    z.object({ ...answered, type: z.literal('text'), ...text.options.shape }).meta({ id: 'TextField' }),
    z.object({ ...answered, type: z.literal('number'), ...number.options.shape }).meta({ id: 'NumberField' }),
    z.object({ ...answered, type: z.literal('bool'), ...bool.options.shape }).meta({ id: 'BoolField' }),
    z.object({ ...answered, type: z.literal('email'), ...email.options.shape }).meta({ id: 'EmailField' }),
    z.object({ ...answered, type: z.literal('url'), ...url.options.shape }).meta({ id: 'UrlField' }),
    z.object({ ...answered, type: z.literal('date'), ...date.options.shape }).meta({ id: 'DateField' }),
    z.object({ ...answered, type: z.literal('datetime'), ...datetime.options.shape }).meta({ id: 'DatetimeField' }),
    z.object({ ...answered, type: z.literal('json'), ...json.options.shape }).meta({ id: 'JsonField' }),
    z.object({ ...answered, type: z.literal('select'), ...select.options.shape }).meta({ id: 'SelectField' }),
    z.object({ ...answered, type: z.literal('relation'), ...relation.options.shape }).meta({ id: 'RelationField' }),
  ])
  .meta({ id: 'Field', description: 'A field of a collection, with the options of its type beside the keys that every field has.' });

export type FieldDraft = z.output<typeof FieldInput>;
