import { relationOf } from '../../proto/fields/types/relation.ts';
import type { CollectionDefinition } from '../../proto/schema/definition.ts';
import { tokens } from './lexer/tokens.ts';
import type { RuleSchema } from './check/scope.ts';

/** A schema before and after a change that may have given collections and fields other names. */
export interface Renaming {
  readonly before: RuleSchema & { all(): readonly CollectionDefinition[] };
  readonly after: RuleSchema;
}

/**
 * The expression of a rule of `collection` (as it was before) with every name that has changed in its place; the text around
 * names stays as it was written. Names that mean nothing in the schema before are left alone.
 */
export function renameIn(text: string, collection: CollectionDefinition, renaming: Renaming): string {
  const characters = Array.from(text);
  let renamed = '';
  let at = 0;
  for (const token of tokens(text)) {
    if (token.kind !== 'path') continue;
    const start = token.position - 1;
    renamed += characters.slice(at, start).join('') + renamePath(token.text, collection, renaming);
    at = start + token.text.length;
  }
  return renamed + characters.slice(at).join('');
}

function renamePath(path: string, collection: CollectionDefinition, renaming: Renaming): string {
  const [first = '', second = '', ...rest] = path.split('.');
  if (first === '@request' && second === 'body') return ['@request', 'body', ...walk(rest, collection, renaming)].join('.');
  if (first === '@request' && second === 'auth') return ['@request', 'auth', ...walkAccount(rest, renaming)].join('.');
  if (first === '@collection') return ['@collection', ...walkCollection(second, rest, renaming)].join('.');
  return first.startsWith('@') ? path : walk(path.split('.'), collection, renaming).join('.');
}

function walkCollection(aliased: string, rest: readonly string[], renaming: Renaming): readonly string[] {
  const [name = '', ...alias] = aliased.split(':');
  const collection = renaming.before.byName(name);
  if (collection === undefined) return [aliased, ...rest];
  return [[newName(collection, renaming), ...alias].join(':'), ...walk(rest, collection, renaming)];
}

/** An account's field takes its new name where accounts of just one collection have it. */
function walkAccount(path: readonly string[], renaming: Renaming): readonly string[] {
  const [name] = (path[0] ?? '').split(':');
  const owners = renaming.before.all().filter(({ type, fields }) => type === 'auth' && fields.some((field) => field.name === name));
  const [owner] = owners;
  return owners.length === 1 && owner !== undefined ? walk(path, owner, renaming) : path;
}

/** A path of fields from `collection` on, through relations either way; what lies inside json stays. */
function walk(path: readonly string[], collection: CollectionDefinition, renaming: Renaming): readonly string[] {
  const [step, ...rest] = path;
  if (step === undefined) return [];
  const [name = '', ...modifiers] = step.split(':');
  const back = backward(name, renaming);
  if (back !== undefined) return [back.name, ...walk(rest, back.collection, renaming)];
  const field = collection.fields.find((each) => each.name === name);
  if (field === undefined) return path;
  const now = renaming.after.byId(collection.id)?.fields.find((each) => each.id === field.id)?.name ?? name;
  const target = renaming.before.byId(relationOf(field)?.targetId ?? '');
  return [[now, ...modifiers].join(':'), ...(target === undefined ? rest : walk(rest, target, renaming))];
}

/** `comments_via_post`, where both still exist under whatever name. */
function backward(step: string, renaming: Renaming): { readonly name: string; readonly collection: CollectionDefinition } | undefined {
  const [source = '', via = ''] = step.split('_via_');
  const collection = via === '' ? undefined : renaming.before.byName(source);
  const field = collection?.fields.find((each) => each.name === via);
  if (collection === undefined || field === undefined) return undefined;
  const now = renaming.after.byId(collection.id);
  const fieldNow = now?.fields.find((each) => each.id === field.id);
  return { name: `${now?.name ?? source}_via_${fieldNow?.name ?? via}`, collection };
}

function newName(collection: CollectionDefinition, { after }: Renaming): string {
  return after.byId(collection.id)?.name ?? collection.name;
}
