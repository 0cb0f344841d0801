import { sql, type Sql } from '../../postgres/sql.ts';
import { isEach, rowsOf, type JoinedRow, type Operand, type Row, type TypedTest, type TypedTree } from '../check/typed-tree.ts';
import { likePattern } from '../operators/like.ts';
import { operators, type SqlComparison } from '../operators/operators.sql.ts';
import type { ParameterSource } from '../request/bind-parameters.ts';
import { joinElements, joinRow, type Join } from './join.sql.ts';
import { Parameters } from './parameters.ts';
import { parameter, presence, side, type Place } from './scalar.sql.ts';

/** A condition on the row `alias`, and where its parameters come from. Its text depends on the tree's shape only. */
export interface CompiledCondition {
  readonly condition: Sql;
  readonly parameters: readonly ParameterSource[];
}

/**
 * The tree as a condition: true for the rows that pass, false or null for others. Rows of other tables are asked for by
 * `exists`, never joined. Conditions with `?` that are joined by `&&` and go through the same row share one `exists`.
 */
export function toSql(tree: TypedTree, given: { readonly alias: string; readonly firstParameter: number }): CompiledCondition {
  const parameters = new Parameters(given.firstParameter);
  const compiler = new Compiler(given.alias, parameters);
  return { condition: compiler.tree(tree, new Map()), parameters: parameters.sources };
}

/** The aliases of the rows that stand around a condition, by the rows' keys. */
type Bound = ReadonlyMap<string, string>;

class Compiler {
  readonly #alias: string;
  readonly #parameters: Parameters;
  #aliases = 0;

  constructor(alias: string, parameters: Parameters) {
    this.#alias = alias;
    this.#parameters = parameters;
  }

  tree(tree: TypedTree, bound: Bound): Sql {
    switch (tree.kind) {
      case 'test':
        return tree.quantifier === 'some' ? this.#some(tree, bound) : this.#every(tree);
      case 'any':
        return sql`(${sql.join(
          tree.parts.map((part) => this.tree(part, bound)),
          ' or ',
        )})`;
      case 'all':
        return this.#all(tree.parts, bound);
    }
  }

  #all(parts: readonly TypedTree[], bound: Bound): Sql {
    if (parts.length === 0) return sql`true`;
    const shared = sharedRow(parts, bound);
    if (shared === undefined)
      return sql`(${sql.join(
        parts.map((part) => this.tree(part, bound)),
        ' and ',
      )})`;
    const together = parts.filter((part) => usesRow(part, shared.key));
    const apart = parts.filter((part) => !usesRow(part, shared.key));
    const shares = this.#exists({ rows: [shared], isStrict: together.some((part) => needsRow(part, shared.key)), bound }, (inner) =>
      this.#all(together, inner),
    );
    return apart.length === 0 ? shares : sql`(${shares} and ${this.#all(apart, bound)})`;
  }

  #exists(over: { readonly rows: readonly JoinedRow[]; readonly isStrict: boolean; readonly bound: Bound }, body: (bound: Bound) => Sql): Sql {
    const { joins, bound } = this.#joinRows(over.rows, over.bound);
    return exists(joins, { isStrict: over.isStrict, body: body(bound) });
  }

  #some(test: TypedTest, bound: Bound): Sql {
    const rows = distinctRows(test).filter((row) => !bound.has(row.key));
    const { joins, bound: inner } = this.#joinRows(rows, bound);
    const { elementJoins, place } = this.#elements(test, inner);
    const body = this.#leaf(test, place);
    const all = [...joins, ...elementJoins];
    return all.length === 0 ? sql`(${body})` : exists(all, { isStrict: isStrict(test), body });
  }

  /** Null is as good as false here, and the one negation that there is takes both alike. */
  #every(test: TypedTest): Sql {
    const { joins, bound } = this.#joinRows(distinctRows(test), new Map());
    const { elementJoins, place } = this.#elements(test, bound);
    return sql`not exists (select ${fromOuter([...joins, ...elementJoins], [])} where (${this.#leaf(test, place)}) is not true)`;
  }

  #joinRows(rows: readonly JoinedRow[], outer: Bound): { readonly joins: readonly Join[]; readonly bound: Bound } {
    const bound = new Map(outer);
    const joins = rows.flatMap((row) => {
      const place = this.#place(bound, new Map());
      const alias = this.#newAlias();
      bound.set(row.key, alias);
      const steps = joinRow(place, { row, alias, linkAlias: `${alias}_link` });
      return row.guard === undefined ? steps : guarded(steps, new Compiler(alias, this.#parameters).tree(row.guard, new Map()));
    });
    return { joins, bound };
  }

  #elements(test: TypedTest, bound: Bound): { readonly elementJoins: readonly Join[]; readonly place: Place } {
    const elements = new Map<Operand, Sql>();
    const elementJoins = [test.left, test.right].filter(isEach).map((operand) => {
      const list = innermost(operand);
      const alias = this.#newAlias();
      const { join, value } = joinElements(this.#place(bound, new Map()), { list, alias });
      elements.set(list, value);
      return join;
    });
    return { elementJoins, place: this.#place(bound, elements) };
  }

  #leaf(test: TypedTest, place: Place): Sql {
    const condition = operators[test.operator].sql(comparison(test, place));
    const guards = [
      ...distinctRows(test).flatMap((row) => rowGuard(row, place)),
      ...[test.left, test.right].flatMap((operand) => listGuard(operand, place)),
    ];
    return guards.length === 0 ? condition : sql.join([condition, ...guards], ' and ');
  }

  #place(bound: Bound, elements: ReadonlyMap<Operand, Sql>): Place {
    const rowAlias = (row: Row): string => {
      const alias = row.kind === 'record' ? this.#alias : bound.get(row.key);
      if (alias === undefined) throw new TypeError('a row is used before it is joined');
      return alias;
    };
    return { parameters: this.#parameters, rowAlias, elements };
  }

  #newAlias(): string {
    this.#aliases += 1;
    return `${this.#alias}_${this.#aliases}`;
  }
}

/** The last of the joins reaches the row itself. */
function guarded(joins: readonly Join[], guard: Sql): readonly Join[] {
  return joins.map((join, index) => {
    if (index < joins.length - 1) return join;
    return { ...join, on: join.on === undefined ? sql`(${guard}) is true` : sql`${join.on} and (${guard}) is true` };
  });
}

/** Where the body can hold only with all rows there, plain joins say the same as outer ones, and the planner may turn them round. */
function exists(joins: readonly Join[], { isStrict: isInner, body }: { readonly isStrict: boolean; readonly body: Sql }): Sql {
  if (!isInner)
    return sql`exists (select ${fromOuter(
      joins,
      joins.filter((join) => join.isInner),
    )} where ${body})`;
  const conditions = joins.flatMap((join) => (join.on === undefined ? [] : [join.on]));
  return sql`exists (select from ${crossed(joins)} where ${sql.join([...conditions, body], ' and ')})`;
}

/** The rows of `firm`, or else one row of nothing, and beside it the others, with nulls for those that are not there. */
function fromOuter(joins: readonly Join[], firm: readonly Join[]): Sql {
  const beside = joins.filter((join) => !firm.includes(join)).map((join) => sql` left join ${join.source} on ${join.on ?? sql`true`}`);
  return sql`from ${firm.length > 0 ? crossed(firm) : sql`(values (1)) one`}${sql.join(beside, '')}`;
}

function crossed(joins: readonly Join[]): Sql {
  return sql.join(
    joins.map((join) => join.source),
    ' cross join ',
  );
}

function comparison(test: TypedTest, place: Place): SqlComparison {
  if (test.as === 'presence') {
    const asked = test.left.kind === 'literal' ? test.right : test.left;
    return { kind: 'presence', ...presence(place, asked) };
  }
  const isLikeness = test.operator === '~' || test.operator === '!~';
  return isLikeness
    ? likeness(test, place)
    : { kind: 'values', left: side(place, test.left, test.as), right: side(place, test.right, test.as), isText: test.as === 'text' };
}

function likeness({ left, right }: TypedTest, place: Place): SqlComparison {
  const whole = side(place, left, 'text');
  if (right.kind === 'literal') {
    const pattern = likePattern(right.text ?? '');
    const matchesEmpty = /^%*$/.test(pattern);
    return { kind: 'pattern', left: whole, right: parameter(place.parameters.literal(pattern), 'text'), matchesEmpty };
  }
  if (right.kind !== 'request' || right.form !== 'value') return { kind: 'contains', left: whole, right: side(place, right, 'text') };
  return { kind: 'pattern', left: whole, right: parameter(place.parameters.request(right, 'pattern'), 'text'), matchesEmpty: true };
}

/** What begins at a value of the request that is absent holds for nothing. */
function rowGuard({ step }: JoinedRow, place: Place): Sql[] {
  if (step.kind !== 'request') return [];
  const as = step.isList ? 'list' : 'text';
  return [sql`${parameter(place.parameters.request(step, as), as)} is not null`];
}

function listGuard(operand: Operand, place: Place): Sql[] {
  const list = innermost(operand);
  const isRequestList = list.kind === 'request' && list.form === 'each';
  return isRequestList ? [sql`${parameter(place.parameters.request(list, 'list'), 'list')} is not null`] : [];
}

function innermost(operand: Operand): Operand {
  return operand.kind === 'lower' || operand.kind === 'strftime' ? innermost(operand.of) : operand;
}

function distinctRows(test: TypedTest): readonly JoinedRow[] {
  return [...new Map([...rowsOf(test.left), ...rowsOf(test.right)].map((row) => [row.key, row])).values()];
}

/** The first row, from the outside in, that two of the parts go through. */
function sharedRow(parts: readonly TypedTree[], bound: Bound): JoinedRow | undefined {
  if (parts.length < 2) return undefined;
  const seen = new Set<string>();
  for (const part of parts) {
    const rows = new Map(freeRows(part).map((row) => [row.key, row]));
    for (const row of rows.values()) if (!bound.has(row.key) && seen.has(row.key)) return row;
    rows.forEach((_, key) => seen.add(key));
  }
  return undefined;
}

function freeRows(tree: TypedTree): readonly JoinedRow[] {
  if (tree.kind !== 'test') return tree.parts.flatMap(freeRows);
  return tree.quantifier === 'some' ? distinctRows(tree) : [];
}

function usesRow(tree: TypedTree, key: string): boolean {
  return freeRows(tree).some((row) => row.key === key);
}

/** Whether the tree can hold only where the row is there. */
function needsRow(tree: TypedTree, key: string): boolean {
  switch (tree.kind) {
    case 'all':
      return tree.parts.some((part) => needsRow(part, key));
    case 'any':
      return tree.parts.length > 0 && tree.parts.every((part) => needsRow(part, key));
    case 'test':
      return usesRow(tree, key) && isStrict(tree);
  }
}

/** Whether a test can hold only where both sides have values. */
function isStrict({ operator, as, left, right }: TypedTest): boolean {
  if (as === 'presence') return operator === '!=';
  if (operator === '!=' || operator === '!~') return false;
  const isLength = [left, right].some((operand) => operand.kind === 'field' && operand.form === 'length');
  if (isLength) return false;
  if (operator === '~') return right.kind === 'literal' && !/^%*$/.test(likePattern(right.text ?? ''));
  if (operator !== '=') return true;
  return [left, right].some((operand) => operand.kind === 'literal' || operand.kind === 'macro' || operand.kind === 'request');
}
