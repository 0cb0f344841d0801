import type { CollectionDefinition, RuleName } from '../../../proto/schema/definition.ts';
import { SvcError } from '../../../proto/errors/svc-error.ts';
import { check, fieldsRead, parse, toPredicate, type Predicate, type TypedTree } from '../../rules/index.ts';
import type { Schema } from '../../collections/catalogue.ts';

/** A rule that has to be judged row by row. */
export interface RuleExpression {
  readonly name: RuleName;
  /** Tells rules of one collection apart that were compiled for accounts of different collections. */
  readonly key: string;
  readonly tree: TypedTree;
  readonly predicate: Predicate;
  /** Whether a document without hidden fields is not enough to judge by. */
  readonly readsHidden: boolean;
}

/** The rule `name` of a collection as it is for accounts of `authCollection`; `locked` is null, `open` is empty. */
export function ruleOf(of: Governed, name: RuleName, authCollection: CollectionDefinition | undefined): RuleExpression | 'locked' | 'open' {
  const text = textOf(of.collection, name);
  if (text === null) return 'locked';
  if (text.trim() === '') return 'open';
  const key = `rule ${name} ${authCollection?.id ?? ''}`;
  return of.schema.derived(of.collection, key, () => compileRule(of, { name, key, text, authCollection }));
}

/** A collection, and the schema that its rules' names are found in. */
export interface Governed {
  readonly schema: Schema;
  readonly collection: CollectionDefinition;
}

function textOf({ rules }: CollectionDefinition, name: RuleName): string | null {
  if (name !== 'subscribeRule') return rules[name];
  return rules.subscribeRule === undefined ? rules.listRule : rules.subscribeRule;
}

interface RuleText {
  readonly name: RuleName;
  readonly key: string;
  readonly text: string;
  readonly authCollection: CollectionDefinition | undefined;
}

/** A rule that cannot be read, which saving it would have refused, lets nobody pass. */
function compileRule(of: Governed, { name, key, text, authCollection }: RuleText): RuleExpression | 'locked' {
  const tree = treeFor(of, text, authCollection);
  if (tree === undefined) return 'locked';
  const hidden = new Set(of.collection.fields.filter((field) => field.hidden).map((field) => field.id));
  const readsHidden = fieldsRead(tree).some(
    ({ collectionId, fieldId }) => collectionId === of.collection.id && fieldId !== undefined && hidden.has(fieldId),
  );
  return { name, key, tree, predicate: toPredicate(tree), readsHidden };
}

/** What the rule names of an account may be missing from accounts of this collection; then it is absent. */
export function treeFor({ schema, collection }: Governed, text: string, authCollection: CollectionDefinition | undefined): TypedTree | undefined {
  const scope = { schema, collection, use: 'rule', sight: 'full', mayRead: () => true } as const;
  return (authCollection && checked(text, { ...scope, authCollection })) ?? checked(text, scope);
}

function checked(text: string, scope: Parameters<typeof check>[1]): TypedTree | undefined {
  try {
    return check(parse(text), scope);
  } catch (error) {
    if (error instanceof SvcError && error.code === 'bad_filter') return undefined;
    throw error;
  }
}
