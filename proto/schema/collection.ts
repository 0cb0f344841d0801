import { z } from 'zod';
import { AuthOptionsInput, AuthOptionsSchema } from './auth-options.ts';
import { FieldInput, FieldSchema } from './field.ts';
import { isReservedCollectionName, namePattern } from './names.ts';

export type { CollectionDefinition, CollectionType, IndexDefinition, IndexedField, RuleName, Rules } from './definition.ts';
export { FieldInput, FieldSchema, type FieldDraft } from './field.ts';

export const fieldsMax = 500;
export const indexesMax = 100;
const indexFieldsMax = 16;
const ruleLengthMax = 4_096;

const indexFields = z
  .array(z.string().min(1).max(64))
  .min(1)
  .max(indexFieldsMax)
  .meta({
    description: 'Names of fields, `-` before those sorted downwards; id, created_at and updated_at count as fields.',
    example: ['author', '-created_at'],
  });

/** An index as a definition gives it, and as answers show it. */
export const IndexSchema = z
  .strictObject({ fields: indexFields, unique: z.boolean().default(false).meta({ description: 'No two records may have the same values.' }) })
  .meta({ id: 'Index', description: 'Relation targets, unique fields and (created_at, id) are indexed without asking.' });

export type IndexDraft = z.output<typeof IndexSchema>;

const rule = z.string().max(ruleLengthMax).nullable();
const ruleDescription = 'Who may do it: null is root and the admin key only, "" is everyone.';

/** The rules as a definition gives them: what is left out is locked on create, and stays as it is on update. */
export const RulesInput = z
  .strictObject({
    listRule: rule.optional(),
    viewRule: rule.optional(),
    createRule: rule.optional(),
    updateRule: rule.optional(),
    deleteRule: rule.optional(),
    subscribeRule: rule.optional(),
  })
  .meta({ id: 'RulesInput', description: ruleDescription, example: { listRule: '', viewRule: '' } });

const RulesSchema = z
  .object({
    listRule: rule,
    viewRule: rule,
    createRule: rule,
    updateRule: rule,
    deleteRule: rule,
    subscribeRule: rule.optional().meta({ description: 'Absent: the list rule.' }),
  })
  .meta({ id: 'Rules', description: ruleDescription });

const name = z
  .string()
  .regex(namePattern, 'invalid_name')
  .refine((given) => !isReservedCollectionName(given), 'reserved_name')
  .meta({ description: 'Name of the collection, unique ignoring case.', example: 'posts' });

const type = z
  .enum(['base', 'auth'])
  .meta({ description: 'An auth collection keeps accounts: its records have username, email and verified beside their fields, and can sign in.' });

/** What an answer shows and a body may repeat: ignored on create; on update id and system must be the present ones. */
const readOnly = {
  id: z.string().optional().meta({ description: 'Given by the service; may be repeated on update.' }),
  system: z.boolean().optional().meta({ description: 'Given by the service; may be repeated on update.' }),
  created_at: z.string().optional().meta({ description: 'Given by the service; ignored.' }),
  updated_at: z.string().optional().meta({ description: 'Given by the service; ignored.' }),
};

export const CollectionInput = z
  .strictObject({
    name,
    type: type.default('base'),
    fields: z.array(FieldInput).max(fieldsMax).default([]),
    indexes: z.array(IndexSchema).max(indexesMax).default([]),
    rules: RulesInput.default({}),
    auth: AuthOptionsInput.optional(),
    ...readOnly,
  })
  .meta({ id: 'CollectionInput', description: 'A new collection.' });

export const CollectionPatch = z
  .strictObject({
    name: name.optional(),
    type: type.optional(),
    fields: z
      .array(FieldInput)
      .max(fieldsMax)
      .optional()
      .meta({ description: 'The whole new list: fields that are missing from it are dropped with their values.' }),
    indexes: z.array(IndexSchema).max(indexesMax).optional().meta({ description: 'The whole new list.' }),
    rules: RulesInput.optional(),
    auth: AuthOptionsInput.optional(),
    ...readOnly,
  })
  .meta({ id: 'CollectionPatch', description: 'Changes to a collection; what is left out stays.' });

export const CollectionSchema = z
  .object({
    id: z.string().meta({ example: 'k3v9x0a1b2c3' }),
    name: z.string().meta({ example: 'posts' }),
    type,
    system: z.boolean(),
    fields: z.array(FieldSchema),
    indexes: z.array(IndexSchema),
    rules: RulesSchema,
    auth: AuthOptionsSchema.optional(),
    created_at: z.string().meta({ format: 'date-time', example: '2026-11-21T09:30:00.000Z' }),
    updated_at: z.string().meta({ format: 'date-time', example: '2026-11-21T09:30:00.000Z' }),
  })
  .meta({ id: 'Collection', description: 'A collection: its fields, indexes and rules.' });

export type Collection = z.output<typeof CollectionSchema>;

/** What a change of schema would do; nothing has been changed. */
export const PlanSchema = z
  .object({
    statements: z.array(z.string()).meta({ description: 'The statements on tables, in order.' }),
    locks: z.array(z.string()).meta({ description: 'The tables locked while they run, and how.' }),
    rewrites: z.boolean().meta({ description: 'Whether a table is written anew, which takes time in proportion to its size.' }),
    destructive: z.array(z.string()).meta({ description: 'What is lost.' }),
    breaks: z.array(z.string()).meta({ description: 'What callers must know of before they go on.' }),
    hash: z.string().meta({ description: 'Send it as planHash with the change itself, which is then refused if the schema has moved.' }),
  })
  .meta({ id: 'Plan', description: 'What a change of schema would do.' });

export type Plan = z.output<typeof PlanSchema>;

export const TruncatedSchema = z
  .object({ deleted: z.int().min(0).meta({ description: 'How many records there were.', example: 42 }) })
  .meta({ id: 'Truncated', description: 'The collection is empty now.' });
