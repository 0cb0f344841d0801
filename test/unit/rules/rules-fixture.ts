import type { CollectionDefinition } from '../../../proto/schema/definition.ts';
import type { Field, FieldTypeName } from '../../../proto/fields/field-type.ts';
import {
  bindParameters,
  check,
  parse,
  toPredicate,
  toSql,
  type RequestValues,
  type RowValues,
  type RuleSchema,
  type Scope,
  type TypedTree,
} from '../../../store/rules/index.ts';

const now = new Date('2026-01-31T12:00:00.000Z');
const rules = { listRule: '', viewRule: '', createRule: '', updateRule: '', deleteRule: '' };

/** A small world: posts have an author, editors and comments; users are in teams. */
const users = collection('users', [field('name', 'text'), field('level', 'number'), relation('team', 'teams'), field('secret', 'text', {}, true)]);
const teams = collection('teams', [field('name', 'text')]);
const comments = collection('comments', [
  field('text', 'text'),
  field('likes', 'number'),
  relation('post', 'posts'),
  relation('profile', 'posts', '1:1'),
]);
const posts = collection('posts', [
  field('title', 'text'),
  field('subtitle', 'text'),
  field('score', 'number'),
  field('public', 'bool'),
  field('day', 'date'),
  field('at', 'datetime'),
  field('extra', 'json'),
  field('tags', 'select', { options: ['a', 'b', 'c'], maxSelect: 3 }),
  relation('author', 'users'),
  relation('editors', 'users', 'M:N'),
  field('draft', 'text', {}, true),
]);

const all = [users, teams, comments, posts];

export const schema: RuleSchema = {
  byName: (name) => all.find((each) => each.name === name),
  byId: (id) => all.find((each) => each.id === id),
  referencesTo: (id) =>
    all.flatMap((each) => each.fields.filter(({ options }) => options['targetId'] === id).map((found) => ({ collection: each, fieldId: found.id }))),
};

export const ruleScope: Scope = { schema, collection: posts, use: 'rule', sight: 'full', mayRead: () => true, authCollection: users };
export const filterScope: Scope = { ...ruleScope, use: 'filter', sight: 'public' };
export const guest: RequestValues = { auth: null, body: {}, query: {}, headers: {}, method: 'GET', context: 'default' };
export const ann: RequestValues = { ...guest, auth: { id: 'ann', svc: 'users', name: 'Ann', level: 3, team: null } };

export function typed(text: string, scope: Scope = ruleScope): TypedTree {
  return check(parse(text), scope);
}

/** The SQL of an expression on the row `record`, white space made one blank, and its parameters for a request. */
export function compiled(text: string, request: RequestValues = ann, scope: Scope = ruleScope) {
  const { condition, parameters } = toSql(typed(text, scope), { alias: 'record', firstParameter: 1 });
  return { sql: condition.compile().text.replaceAll(/\s+/g, ' '), parameters: bindParameters(parameters, request, now) };
}

/** The predicate's verdict on a row. */
export function verdict(text: string, row: RowValues, request: RequestValues = ann): boolean {
  const predicate = toPredicate(typed(text));
  if (predicate.kind === 'needs-database') throw new TypeError(`${text} needs the database`);
  return predicate.test(row, request, now);
}

function collection(name: string, fields: readonly Field[]): CollectionDefinition {
  const id = `c_${name}`;
  return {
    id,
    name,
    type: 'base',
    system: false,
    fields: fields.map((each) => ({ ...each, id: `${name}_${each.name}` })),
    indexes: [],
    rules,
    docVersion: 1,
    createdAt: '',
    updatedAt: '',
  };
}

function field(name: string, type: FieldTypeName, options: Field['options'] = {}, hidden = false): Field {
  return { id: name, name, type, required: false, unique: false, hidden, options };
}

function relation(name: string, target: string, cardinality = '1:N'): Field {
  return field(name, 'relation', { targetId: `c_${target}`, cardinality, onDelete: 'SET_NULL' });
}
