import { fieldTypes } from '../../proto/fields/registry.ts';
import type { Collection } from '../../proto/schema/collection.ts';

export type JsonSchema = Record<string, unknown>;

/** The schemas of one collection's records: as answered, as created, as changed, and a page of them. Hidden fields are left out. */
export function recordSchemas(collection: Collection): Record<RecordSchemaKind, JsonSchema> {
  const fields = collection.fields.filter((field) => !field.hidden);
  const answered = Object.fromEntries(fields.map((field) => [field.name, answerSchema(field)]));
  const given = Object.fromEntries(fields.map((field) => [field.name, inputSchema(field)]));
  const needed = fields.filter((field) => field.required && (field.default ?? null) === null).map((field) => field.name);
  const about = `collection \`${collection.name}\``;
  return {
    Record: {
      type: 'object',
      description: `A record of ${about}.`,
      properties: { ...systemFields, ...answered },
      required: [...Object.keys(systemFields), ...Object.keys(answered)],
    },
    RecordCreate: {
      type: 'object',
      description: `A new record of ${about}.`,
      properties: {
        id: { ...idSchema, description: 'Made by the service when left out.' },
        ...given,
        ...passwords(collection, ['password', 'passwordConfirm']),
      },
      ...(needed.length === 0 ? {} : { required: needed }),
    },
    RecordUpdate: {
      type: 'object',
      description: `Changes to a record of ${about}; what is left out stays.`,
      properties: { ...given, ...passwords(collection, ['password', 'passwordConfirm', 'oldPassword']) },
    },
    RecordList: listSchema(collection.name),
  };
}

export type RecordSchemaKind = 'Record' | 'RecordCreate' | 'RecordUpdate' | 'RecordList';

/** The key of a schema in the components. */
export function schemaKey(kind: RecordSchemaKind, collection: string): string {
  return `${kind}.${collection}`;
}

/** What writes of accounts take beside fields, and no answer ever shows. */
function passwords({ type }: Collection, names: readonly string[]): JsonSchema {
  return type === 'auth' ? Object.fromEntries(names.map((name) => [name, { ...passwordSchema, description: passwordTexts[name] }])) : {};
}

const passwordSchema = { type: 'string', format: 'password', minLength: 8, maxLength: 72, writeOnly: true };
const passwordTexts: Readonly<Record<string, string>> = {
  password: 'At least 8 characters, at most 72 bytes.',
  passwordConfirm: 'The same once more.',
  oldPassword: 'The present password, where another is to take its place.',
};

type Field = Collection['fields'][number];

const idSchema = { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' };
const timeSchema = { type: 'string', format: 'date-time', readOnly: true };
const systemFields = { id: idSchema, created_at: timeSchema, updated_at: timeSchema };

function answerSchema(field: Field): JsonSchema {
  const schema = valueSchema(field);
  return isList(field) ? schema : nullable(schema);
}

function inputSchema(field: Field): JsonSchema {
  const schema = valueSchema(field);
  return field.required ? schema : nullable(schema);
}

/** A relation's options are wrapped on the wire; its type knows the inside. */
function valueSchema(field: Field): JsonSchema {
  if (field.type !== 'relation') return { ...fieldTypes[field.type].schema(field) };
  const about = `Of collection \`${field.relationConfig.targetSvc}\`.`;
  return { ...fieldTypes.relation.schema(field.relationConfig), description: about };
}

function isList(field: Field): boolean {
  return fieldTypes[field.type].isList(field.type === 'relation' ? field.relationConfig : field);
}

/** OpenAPI 3.0.3: `nullable` counts only beside a type, and an enum must list null itself. */
function nullable(schema: JsonSchema): JsonSchema {
  if (schema['type'] === undefined) return schema;
  return Array.isArray(schema['enum'])
    ? { ...schema, nullable: true, enum: [...(schema['enum'] as unknown[]), null] }
    : { ...schema, nullable: true };
}

function listSchema(collection: string): JsonSchema {
  const count = { type: 'integer', minimum: -1 };
  return {
    type: 'object',
    description: `One page of the records of collection \`${collection}\`.`,
    properties: {
      page: { type: 'integer', minimum: 1, nullable: true },
      perPage: { type: 'integer', minimum: 1, maximum: 500 },
      totalItems: count,
      totalPages: count,
      totalIsEstimate: { type: 'boolean' },
      items: { type: 'array', items: { $ref: `#/components/schemas/${schemaKey('Record', collection)}` } },
      nextCursor: { type: 'string', nullable: true },
      prevCursor: { type: 'string', nullable: true },
    },
    required: ['page', 'perPage', 'totalItems', 'totalPages', 'items', 'nextCursor', 'prevCursor'],
  };
}
