import { fail, fault } from '../../../proto/errors/svc-error.ts';
import type { Field } from '../../../proto/fields/field-type.ts';
import { fieldTypes, isListField } from '../../../proto/fields/registry.ts';
import { authOptionsDefault, mergedAuthOptions, type AuthOptions } from '../../../proto/schema/auth-options.ts';
import type { CollectionDefinition, CollectionType, IndexDefinition } from '../../../proto/schema/collection.ts';
import type { FaultList } from '../../../proto/schema/faults.ts';
import { nameKey } from '../../../proto/schema/names.ts';
import type { Schema } from '../catalogue.ts';
import { fieldsOfType, isFieldOfType, rulesOfType } from './auth-fields.ts';
import type { CollectionDraft } from './collection-draft.ts';
import { defineField } from './define-field.ts';
import { carryIndexes, defineIndexes } from './define-indexes.ts';
import { checkRules, parseRules, renamedRules } from './check-rules.ts';
import { defineRules, givenRules } from './define-rules.ts';
import { matchFields } from './match-fields.ts';

export interface CollectionDefining {
  readonly draft: CollectionDraft;
  readonly schema: Schema;
  /** The version that the catalogue has when this definition holds. */
  readonly version: number;
  readonly now: string;
  readonly newId: () => string;
  readonly faults: FaultList;
}

/** The definition of a new collection; fails with all that is wrong, or where the name is taken. */
export function defineCollection(input: CollectionDefining): CollectionDefinition {
  const { draft, now } = input;
  const id = input.newId();
  const name = draft.name ?? '';
  const type = draft.type ?? 'base';
  const fields = [...fieldsOfType(type, input.newId), ...defineFields(input, { id, names: [name], type }, [])];
  const indexes = indexesOf(input, fields, undefined);
  const rules = defineRules(draft.rules ?? {}, rulesOfType(type));
  const definition: CollectionDefinition = {
    id,
    name,
    type,
    system: false,
    fields,
    indexes,
    rules,
    ...defineAuth(input, type, authOptionsDefault),
    docVersion: input.version,
    createdAt: now,
    updatedAt: now,
  };
  checkGivenRules(input, definition);
  settle(input, id, name);
  return definition;
}

/** The definition that an update leaves; equal to `before` where it changes nothing. */
export function redefineCollection(input: CollectionDefining, before: CollectionDefinition): CollectionDefinition {
  const { draft, faults } = input;
  requireUnchanged(draft, before, faults);
  const name = draft.name ?? before.name;
  const fields = redefineFields(input, { id: before.id, names: [name, before.name], type: before.type }, before.fields);
  const indexes = indexesOf(input, fields, before);
  const renamed = { ...before, name, fields, indexes };
  const present = renamedRules(input.schema, input.schema.with([renamed]), renamed);
  const auth = defineAuth(input, before.type, before.auth ?? authOptionsDefault);
  const after = { ...renamed, rules: defineRules(draft.rules ?? {}, present), ...auth };
  checkGivenRules(input, after);
  settle(input, before.id, name);
  if (JSON.stringify(after) === JSON.stringify(before)) return before;
  const docVersion = documentShape(fields) === documentShape(before.fields) ? before.docVersion : input.version;
  return { ...after, docVersion, updatedAt: input.now };
}

interface Self {
  readonly id: string;
  readonly names: readonly string[];
  readonly type: CollectionType;
}

/** What the collection has by its type stays as it is; the rest is as the draft gives it. */
function redefineFields(input: CollectionDefining, self: Self, before: readonly Field[]): readonly Field[] {
  if (input.draft.fields === undefined) return before;
  const present = before.filter((field) => field.system !== true);
  return [...before.filter((field) => field.system === true), ...defineFields(input, self, present)];
}

function defineFields(input: CollectionDefining, self: Self, present: readonly Field[]): readonly Field[] {
  const { draft, schema, faults, newId } = input;
  const drafts = draft.fields ?? [];
  const matches = matchFields(drafts, present, faults);
  const selfNames = new Set(self.names.map(nameKey));
  const collectionId = (name: string) => (selfNames.has(nameKey(name)) ? self.id : schema.byName(name)?.id);
  const names = new Set<string>();
  return drafts.flatMap((one, index) => {
    if (one === undefined) return [];
    if (names.has(nameKey(one.name))) faults.add(['fields', index, 'name'], fault('duplicate_name'));
    names.add(nameKey(one.name));
    if (isFieldOfType(self.type, one.name)) faults.add(['fields', index, 'name'], fault('reserved_name'));
    return [defineField({ draft: one, index, id: matches.get(index)?.id ?? newId(), collectionId, faults })];
  });
}

function indexesOf(input: CollectionDefining, fields: readonly Field[], before: CollectionDefinition | undefined): readonly IndexDefinition[] {
  const { draft, newId, faults } = input;
  const present = before?.indexes ?? [];
  const presentFields = before?.fields ?? [];
  if (draft.indexes === undefined) return carryIndexes(present, presentFields, fields);
  const hasUnreadFields = draft.fields?.includes(undefined) ?? false;
  return defineIndexes({ drafts: draft.indexes, fields, hasUnreadFields, newId, faults }, present, presentFields);
}

function defineAuth({ draft, faults }: CollectionDefining, type: CollectionType, present: AuthOptions): { readonly auth?: AuthOptions } {
  if (type === 'auth') return { auth: mergedAuthOptions(present, draft.auth ?? {}) };
  if (draft.auth !== undefined)
    faults.add(['auth'], fault('not_changeable', { reason: 'Only a collection of type auth has accounts that sign in.' }));
  return {};
}

/** What rules name is looked up once the fields are known to be sound. */
function checkGivenRules({ draft, schema, faults }: CollectionDefining, definition: CollectionDefinition): void {
  const given = givenRules(draft.rules ?? {});
  if (faults.isEmpty) checkRules(schema.with([definition]), definition, given, faults);
  else parseRules(definition, given, faults);
}

/** Faults of the body come before a clash with another collection. */
function settle({ faults, schema }: CollectionDefining, id: string, name: string): void {
  faults.throwIfAny();
  const holder = schema.byName(name);
  if (holder !== undefined && holder.id !== id) fail('collection_exists');
}

function requireUnchanged(draft: CollectionDraft, before: CollectionDefinition, faults: FaultList): void {
  for (const key of ['id', 'type', 'system'] as const) {
    const isChanged = draft[key] !== undefined && draft[key] !== before[key];
    if (isChanged) faults.add([key], fault('not_changeable', { reason: `The ${key} of a collection cannot be changed.` }));
  }
}

/** What a record's document depends on; where this differs, documents made before are stale. */
function documentShape(fields: readonly Field[]): string {
  return JSON.stringify(
    fields.map((field) => [field.id, field.name, field.type, field.hidden, isListField(field), fieldTypes[field.type].column(field.options)]),
  );
}
