import { fail, fault } from '../../../proto/errors/svc-error.ts';
import { fieldTypes, isFieldTypeName } from '../../../proto/fields/registry.ts';
import {
  CollectionInput,
  CollectionPatch,
  FieldInput,
  fieldsMax,
  indexesMax,
  IndexSchema,
  RulesInput,
  type CollectionType,
  type FieldDraft,
  type IndexDraft,
  type RuleName,
} from '../../../proto/schema/collection.ts';
import { AuthOptionsInput, type AuthOptionsDraft } from '../../../proto/schema/auth-options.ts';
import { parseInto, type FaultList } from '../../../proto/schema/faults.ts';
import { z } from 'zod';

/** What a body asks for, as far as it could be read: an entry that could not is undefined; the faults of all are listed. */
export interface CollectionDraft {
  readonly id?: string | undefined;
  readonly system?: boolean | undefined;
  readonly name?: string | undefined;
  readonly type?: CollectionType | undefined;
  readonly fields?: readonly (FieldDraft | undefined)[] | undefined;
  readonly indexes?: readonly (IndexDraft | undefined)[] | undefined;
  readonly rules?: RulesDraft | undefined;
  readonly auth?: AuthOptionsDraft | undefined;
}

export type RulesDraft = Readonly<Partial<Record<RuleName, string | null | undefined>>>;

/** Reads the body of a create; fails where it is no object, else lists what is wrong with its parts. */
export function readCreation(body: unknown, faults: FaultList): CollectionDraft {
  return readBody(CollectionInput, body, faults);
}

/** Reads the body of an update, where everything may be left out. */
export function readPatch(body: unknown, faults: FaultList): CollectionDraft {
  return readBody(CollectionPatch, body, faults);
}

/** Part by part, not as a whole: so that what is wrong here does not hide what is wrong there. */
function readBody(schema: typeof CollectionInput | typeof CollectionPatch, body: unknown, faults: FaultList): CollectionDraft {
  if (!isObject(body)) return fail('bad_request', { values: { reason: 'The body must be a JSON object.' } });
  refuseOtherKeys(faults, [], schema.shape, body);
  const read = <Part extends z.ZodType>(key: string, part: Part) => parseInto(faults, [key], part, body[key]);
  read('created_at', schema.shape.created_at);
  read('updated_at', schema.shape.updated_at);
  return {
    id: read('id', schema.shape.id),
    system: read('system', schema.shape.system),
    name: read('name', schema.shape.name),
    type: read('type', schema.shape.type),
    fields: readList(faults, 'fields', fieldsMax, body, (value, index) => readField(faults, value, index)),
    indexes: readList(faults, 'indexes', indexesMax, body, (value, index) => parseInto(faults, ['indexes', index], IndexSchema, value)),
    rules: readRules(faults, body['rules']),
    auth: body['auth'] === undefined ? undefined : parseInto(faults, ['auth'], AuthOptionsInput, body['auth']),
  };
}

function readRules(faults: FaultList, rules: unknown): RulesDraft | undefined {
  if (rules === undefined) return undefined;
  if (!isObject(rules)) {
    faults.add(['rules'], fault('invalid_type', { expected: 'an object' }));
    return undefined;
  }
  refuseOtherKeys(faults, ['rules'], RulesInput.shape, rules);
  const { shape } = RulesInput;
  const read = <Rule extends z.ZodType>(key: RuleName, rule: Rule) => parseInto(faults, ['rules', key], rule, rules[key]);
  return {
    listRule: read('listRule', shape.listRule),
    viewRule: read('viewRule', shape.viewRule),
    createRule: read('createRule', shape.createRule),
    updateRule: read('updateRule', shape.updateRule),
    deleteRule: read('deleteRule', shape.deleteRule),
    subscribeRule: read('subscribeRule', shape.subscribeRule),
  };
}

function readField(faults: FaultList, value: unknown, index: number): FieldDraft | undefined {
  return parseInto(faults, ['fields', index], FieldInput, value) ?? salvagedField(value, index);
}

/** A field with a fault, as far as it is sound: never made, but looked at together with the others, so that no second fault hides behind the first. */
function salvagedField(value: unknown, index: number): FieldDraft | undefined {
  if (!isObject(value) || !isFieldTypeName(value['type'])) return undefined;
  const { name, type } = value;
  const options = z.object(fieldTypes[type].options.shape).safeParse(value);
  if (!options.success) return undefined;
  const base = { name: typeof name === 'string' ? name : `unnamed ${index}`, required: false, unique: value['unique'] === true, hidden: false };
  return { ...base, type, default: value['default'], ...options.data } as FieldDraft;
}

function refuseOtherKeys(faults: FaultList, path: readonly string[], shape: object, members: object): void {
  for (const key of Object.keys(members)) {
    if (!Object.hasOwn(shape, key)) faults.add([...path, key], fault('unknown_key'));
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readList<Item>(
  faults: FaultList,
  key: string,
  max: number,
  body: Readonly<Record<string, unknown>>,
  read: (value: unknown, index: number) => Item,
): Item[] | undefined {
  const list = body[key];
  if (list === undefined) return undefined;
  if (!Array.isArray(list)) {
    faults.add([key], fault('invalid_type', { expected: 'a list' }));
    return undefined;
  }
  if (list.length > max) faults.add([key], fault('too_many', { max }));
  return list.slice(0, max).map(read);
}
