import { relationOf } from '../../../proto/fields/types/relation.ts';
import type { CollectionDefinition } from '../../../proto/schema/definition.ts';
import { limits } from '../limits.ts';
import { refuse } from '../refuse.ts';
import { fieldRef, findField } from './field-ref.ts';
import type { Scope } from './scope.ts';
import type { FieldOperand, FieldRef, JoinedRow, Row } from './typed-tree.ts';

/** Where a path stands: a row of a collection, and what of the path is left. */
export interface Standing {
  readonly row: Row;
  readonly collection: CollectionDefinition;
  readonly names: readonly string[];
  readonly depth: number;
  readonly position: number;
}

/** The field that a path leads to, through relations either way and into json. */
export function resolveField(scope: Scope, at: Standing): FieldOperand {
  const [name = '', ...rest] = at.names;
  const backward = name.includes('_via_') ? backRow(scope, at, name) : undefined;
  if (backward !== undefined) return resolveField(scope, { ...at, ...backward, names: required(rest, at, name), depth: at.depth + 1 });
  const field = findField(at.collection, name, scope.sight) ?? refuse(at.position, `${at.collection.name} has no field ${quoted(name)}`);
  if (rest.length === 0) return { kind: 'field', row: at.row, field, path: [], form: field.place === 'column' ? 'value' : 'each' };
  if (field.type === 'json') return { kind: 'field', row: at.row, field, path: rest, form: 'value' };
  if (field.type !== 'relation') return refuse(at.position, `${quoted(name)} is a ${field.type} field, and nothing lies behind it`);
  // The target's id is what the relation holds: no need to go there.
  if (rest.length === 1 && rest[0] === 'id')
    return { kind: 'field', row: at.row, field, path: [], form: field.place === 'column' ? 'value' : 'each' };
  return resolveField(scope, { ...at, ...forwardRow(scope, at, field), names: rest, depth: at.depth + 1 });
}

/** The collection that a relation field points to, where the path may go there. */
export function enter(scope: Scope, at: Pick<Standing, 'depth' | 'position'>, collection: CollectionDefinition | undefined): CollectionDefinition {
  if (at.depth >= limits.pathDepth) refuse(at.position, `a path follows at most ${limits.pathDepth} relations`);
  if (collection === undefined || !scope.mayRead(collection)) {
    return refuse(at.position, 'the path leads into a collection that cannot be read here');
  }
  return collection;
}

export function quoted(name: string): string {
  return `"${name.slice(0, 63)}"`;
}

function forwardRow(scope: Scope, at: Standing, field: FieldRef): Pick<Standing, 'row' | 'collection'> {
  const definition = at.collection.fields.find((each) => each.id === field.id);
  const relation = definition && relationOf(definition);
  const collection = enter(scope, at, scope.schema.byId(relation?.targetId ?? ''));
  const isMany = field.place === 'links' || isManyRow(at.row);
  return {
    collection,
    row: joined(scope, collection, { key: `${keyOf(at.row)}.${field.id}`, isMany, step: { kind: 'forward', from: at.row, field } }),
  };
}

/** `comments_via_post`: the rows of comments whose relation post points here; undefined where the name means nothing of the kind. */
function backRow(scope: Scope, at: Standing, name: string): Pick<Standing, 'row' | 'collection'> | undefined {
  const [source = '', via = ''] = name.split('_via_');
  const collection = scope.schema.byName(source);
  const definition = collection?.fields.find((each) => each.name === via);
  const isSeen = definition !== undefined && !(definition.hidden && scope.sight === 'public');
  if (collection === undefined || !isSeen) return undefined;
  if (!scope.schema.referencesTo(at.collection.id).some((reference) => reference.fieldId === definition.id)) return undefined;
  enter(scope, at, collection);
  const isMany = relationOf(definition)?.cardinality !== '1:1' || isManyRow(at.row);
  const step = { kind: 'back', from: at.row, field: fieldRef(collection, definition) } as const;
  return { collection, row: joined(scope, collection, { key: `${keyOf(at.row)}<${definition.id}`, isMany, step }) };
}

/** A row reached by a step; in a caller's filter it must pass what its collection demands of those who look at it. */
export function joined(scope: Scope, collection: CollectionDefinition, rest: Pick<JoinedRow, 'key' | 'isMany' | 'step'>): JoinedRow {
  const guard = scope.guardOf?.(collection);
  return { kind: 'joined', collection: collection.name, collectionId: collection.id, ...rest, ...(guard && { guard }) };
}

function keyOf(row: Row): string {
  return row.kind === 'record' ? '' : row.key;
}

function isManyRow(row: Row): boolean {
  return row.kind === 'joined' && row.isMany;
}

function required(rest: readonly string[], at: Standing, name: string): readonly string[] {
  return rest.length > 0 ? rest : refuse(at.position, `${quoted(name)} names records; a field of theirs must follow`);
}
