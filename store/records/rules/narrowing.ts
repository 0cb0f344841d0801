import type { CollectionDefinition } from '../../../proto/schema/definition.ts';
import type { Sql } from '../../postgres/sql.ts';
import { isPrivileged, type Principal } from '../../principal/principal.ts';
import { allOf, bindParameters, check, parse, toSql, type ParameterSource, type Scope, type TypedTree } from '../../rules/index.ts';
import type { RecordDeps } from '../deps.ts';
import type { RecordShape } from '../shape/shape.ts';
import { isServedByIndex } from './served-by-index.ts';
import type { Judge } from './judge.ts';
import { RuleRequest, type RuleRequestInput } from './rule-request.ts';
import { ruleOf, type RuleExpression } from './rule.ts';

/** Which records of a collection somebody gets: those that the rules let him have and the filter asks for. */
export interface Narrowing {
  /** The condition's text belongs to this key: equal keys, equal text. */
  readonly key: string;
  /** Over the row `record`; its parameters begin at the number that was asked for. */
  readonly condition: Sql;
  /** What the parameters are for this request. */
  readonly values: readonly (string | null)[];
  /** Whether an index finds the records, so that the search costs about what it finds. */
  readonly isIndexed: boolean;
}

export interface NarrowingInput {
  readonly principal: Principal;
  /** Of the rules that all must hold; undefined: one that is open. */
  readonly judges: readonly (Judge | undefined)[];
  /** As the caller wrote it; empty: all. */
  readonly filter: string;
  readonly request: RuleRequestInput;
  readonly firstParameter: number;
}

/** The records that rules and a filter leave; undefined where they leave all. Fails with `bad_filter`. */
export function narrowingOf(deps: Pick<RecordDeps, 'clock'>, shape: RecordShape, input: NarrowingInput): Narrowing | undefined {
  const { principal, judges, firstParameter } = input;
  const filter = input.filter.trim() === '' ? '' : input.filter;
  const rules = judges.flatMap((judge) => (judge === undefined ? [] : [judge.rule]));
  if (rules.length === 0 && filter === '') return undefined;
  const reader = readerOf(principal);
  const key = JSON.stringify(['where', firstParameter, rules.map((rule) => rule.key), reader, filter]);
  const { condition, parameters, isIndexed } = shape.compiled.get(key, () => compile(shape, input, { rules, filter }));
  const values = bindParameters(parameters, new RuleRequest(principal, input.request), new Date(deps.clock.now()));
  return { key, condition, values, isIndexed };
}

/** The scope of what a caller writes: filters, and paths to sort by or to expand. */
export function callerScope(shape: Pick<RecordShape, 'schema' | 'collection'>, principal: Principal): Scope {
  const { schema, collection } = shape;
  const authCollection = principal.kind === 'user' || principal.kind === 'root' ? schema.byId(principal.collectionId) : undefined;
  const scope = {
    schema,
    collection,
    use: 'filter',
    sight: isPrivileged(principal) ? 'full' : 'public',
    ...(authCollection && { authCollection }),
  } as const;
  if (isPrivileged(principal)) return { ...scope, mayRead: () => true };
  return {
    ...scope,
    mayRead: (other) => ruleOf({ schema, collection: other }, 'viewRule', authCollection) !== 'locked',
    guardOf: (other) => guardOf(schema, other, authCollection),
  };
}

/** What rows of `collection` must pass to be seen: the tree of its view rule, undefined where it is open. */
function guardOf(
  schema: RecordShape['schema'],
  collection: CollectionDefinition,
  authCollection: CollectionDefinition | undefined,
): TypedTree | undefined {
  const rule = ruleOf({ schema, collection }, 'viewRule', authCollection);
  return typeof rule === 'object' ? rule.tree : undefined;
}

interface CompiledNarrowing {
  readonly condition: Sql;
  readonly parameters: readonly ParameterSource[];
  readonly isIndexed: boolean;
}

function compile(
  shape: RecordShape,
  { principal, firstParameter }: NarrowingInput,
  { rules, filter }: { readonly rules: readonly RuleExpression[]; readonly filter: string },
): CompiledNarrowing {
  const trees = rules.map((rule) => rule.tree);
  if (filter !== '') trees.push(check(parse(filter), callerScope(shape, principal)));
  const tree = allOf(trees);
  return { ...toSql(tree, { alias: 'record', firstParameter }), isIndexed: isServedByIndex(shape.collection, tree) };
}

/** Readers for whom the same names mean the same. */
export function readerOf(principal: Principal): string {
  if (isPrivileged(principal)) return `all ${principal.kind === 'root' ? principal.collectionId : ''}`;
  return principal.kind === 'user' ? principal.collectionId : 'guest';
}
