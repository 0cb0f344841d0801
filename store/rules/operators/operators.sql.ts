import { sql, type Sql } from '../../postgres/sql.ts';
import type { OperatorSymbol } from '../syntax/syntax-tree.ts';
import { matches } from './like.ts';
import { order, type Value } from './value.ts';

/** One side of a comparison in SQL. */
export interface SqlSide {
  readonly sql: Sql;
  /**
   * Where it comes from, which says what its null means: `sure` is never null and never empty; `stored` null is no value;
   * `request` null is absent, and the test is false; `element` is a value of a request's list, whose null says the list is empty.
   */
  readonly origin: 'sure' | 'stored' | 'request' | 'element';
}

/** What an operator makes SQL of. */
export type SqlComparison =
  | { readonly kind: 'values'; readonly left: SqlSide; readonly right: SqlSide; readonly isText: boolean }
  | { readonly kind: 'presence'; readonly isThere: Sql; readonly isMissing: Sql }
  | { readonly kind: 'pattern'; readonly left: SqlSide; readonly right: Sql; readonly matchesEmpty: boolean }
  | { readonly kind: 'contains'; readonly left: SqlSide; readonly right: SqlSide };

/** An operator, both its meanings side by side. Its any-of form differs in the quantifier alone. */
export interface Operator {
  readonly symbol: OperatorSymbol;
  /** A condition that is true where the test holds, and false or null where it does not. */
  sql(compared: SqlComparison): Sql;
  /** The verdict on two values that are there; '' has become null where both mean "no value". For `~` the right one is a pattern. */
  test(left: Value, right: Value): boolean;
}

/** All operators, by their sign. */
export type Operators = Readonly<Record<OperatorSymbol, Operator>>;

export const operators: Operators = {
  '=': { symbol: '=', sql: equal, test: (left, right) => left === right },
  '!=': { symbol: '!=', sql: unequal, test: (left, right) => left !== right },
  '>': ordering('>', sql`>`, (sign) => sign > 0),
  '>=': ordering('>=', sql`>=`, (sign) => sign >= 0),
  '<': ordering('<', sql`<`, (sign) => sign < 0),
  '<=': ordering('<=', sql`<=`, (sign) => sign <= 0),
  '~': { symbol: '~', sql: like, test: (left, right) => matches(text(left), text(right)) },
  '!~': { symbol: '!~', sql: unlike, test: (left, right) => !matches(text(left), text(right)) },
};

function equal(compared: SqlComparison): Sql {
  if (compared.kind === 'presence') return compared.isMissing;
  const { left, right, isText } = asValues(compared);
  if (isPlain(left, right)) return sql`${left.sql} = ${right.sql}`;
  return isText ? sql`coalesce(${left.sql}, '') = coalesce(${right.sql}, '')` : sql`${left.sql} is not distinct from ${right.sql}`;
}

function unequal(compared: SqlComparison): Sql {
  if (compared.kind === 'presence') return compared.isThere;
  const { left, right, isText } = asValues(compared);
  const isBothStored = left.origin === 'stored' && right.origin === 'stored';
  if (isBothStored && isText) return sql`coalesce(${left.sql}, '') <> coalesce(${right.sql}, '')`;
  if (isNeverNull(left) && isNeverNull(right)) return sql`${left.sql} <> ${right.sql}`;
  // A literal beside an empty list of the request: the list has no such value.
  const guarded = [left, right].filter((side, index) => mustBeThere(side, index === 0 ? right : left));
  return sql.join([sql`${left.sql} is distinct from ${right.sql}`, ...guarded.map((side) => sql`${side.sql} is not null`)], ' and ');
}

function ordering(symbol: OperatorSymbol, sign: Sql, holds: (sign: number) => boolean): Operator {
  return {
    symbol,
    sql: (compared) => {
      const { left, right, isText } = asValues(compared);
      return sql`${isText && left.origin !== 'stored' ? sql`(${left.sql} collate "C")` : left.sql} ${sign} ${right.sql}`;
    },
    test: (left, right) => left !== null && right !== null && holds(order(left, right)),
  };
}

/** A stored text that is missing is taken for the empty one; where the pattern refuses that anyway, the column stands plain, for an index on it. */
function like(compared: SqlComparison): Sql {
  if (compared.kind === 'contains') return sql`${placeOf(compared)} > 0`;
  const { left, right, matchesEmpty } = asPattern(compared);
  return left.origin === 'stored' && !matchesEmpty ? sql`${left.sql} ilike ${right}` : sql`${orEmpty(left)} collate "C" ilike ${right}`;
}

function unlike(compared: SqlComparison): Sql {
  if (compared.kind === 'contains') return sql`${placeOf(compared)} = 0`;
  const { left, right } = asPattern(compared);
  return sql`${orEmpty(left)} collate "C" not ilike ${right}`;
}

/** Where in the left text the right one stands, 0 for nowhere. By collation "C" the letters A to Z alone have two cases. */
function placeOf({ left, right }: Extract<SqlComparison, { kind: 'contains' }>): Sql {
  return sql`position(lower(${orEmpty(right)} collate "C") in lower(${orEmpty(left)} collate "C"))`;
}

function orEmpty(side: SqlSide): Sql {
  return side.origin === 'stored' || side.origin === 'element' ? sql`coalesce(${side.sql}, '')` : side.sql;
}

function isPlain(left: SqlSide, right: SqlSide): boolean {
  return [left, right].some((side) => side.origin !== 'stored');
}

function isNeverNull({ origin }: SqlSide): boolean {
  return origin === 'sure' || origin === 'request';
}

function mustBeThere(side: SqlSide, other: SqlSide): boolean {
  return side.origin === 'request' || (side.origin === 'element' && other.origin !== 'sure');
}

function asValues(compared: SqlComparison): Extract<SqlComparison, { kind: 'values' }> {
  if (compared.kind !== 'values') throw new TypeError('this operator compares values');
  return compared;
}

function asPattern(compared: SqlComparison): Extract<SqlComparison, { kind: 'pattern' }> {
  if (compared.kind !== 'pattern') throw new TypeError('this operator compares a text with a pattern');
  return compared;
}

function text(value: Value): string {
  return value === null ? '' : String(value);
}
