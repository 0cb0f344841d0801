import { sql, type Sql } from '../../postgres/sql.ts';
import type { OrderKey } from './order.sql.ts';

/**
 * The records behind a position in the order of `keys`, as regions that follow each other in that order: level with the
 * position in all keys but the last and behind it there, level in all but the last two, and so on. An index that serves the
 * order finds the beginning of each; one condition over all of them would be a filter on the whole. Postgres sorts nulls last,
 * and first when descending. The regions take the values that are not null.
 */
export function regionsBehind(keys: readonly OrderKey[], values: readonly (string | null)[], firstParameter: number): readonly Sql[] {
  const keyed = keys.map((key, index): Keyed => {
    const place = firstParameter + values.slice(0, index).filter((value) => value !== null).length;
    return { key, isNull: values[index] === null, parameter: sql`${sql.param(place)}::${sql.expression(key.sqlType)}` };
  });
  return isRowComparable(keyed) ? behindRow(keyed) : keyed.flatMap((_, index) => behindAt(keyed, keyed.length - 1 - index));
}

/** Which of the values are null: with it the conditions' text is settled. */
export function nullPattern(values: readonly (string | null)[]): string {
  return values.map((value) => (value === null ? 'n' : 'v')).join('');
}

interface Keyed {
  readonly key: OrderKey;
  readonly isNull: boolean;
  readonly parameter: Sql;
}

/** One direction, and nulls at most behind in the first key: a comparison of rows says all of it at once. */
function isRowComparable(keyed: readonly Keyed[]): boolean {
  return keyed.every(({ key, isNull }, index) => key.isDescending === keyed[0]?.key.isDescending && (index === 0 ? !isNull : !key.isNullable));
}

function behindRow(keyed: readonly Keyed[]): readonly Sql[] {
  const [first] = keyed;
  if (first === undefined) return [];
  const operator = first.key.isDescending ? sql`<` : sql`>`;
  const left = sql.join(keyed.map(({ key }) => key.expression));
  const right = sql.join(keyed.map(({ parameter }) => parameter));
  const behind = sql`(${left}) ${operator} (${right})`;
  return first.key.isNullable && !first.key.isDescending ? [behind, sql`${first.key.expression} is null`] : [behind];
}

/** Level with the position before the key at `index`, and behind it there. */
function behindAt(keyed: readonly Keyed[], index: number): readonly Sql[] {
  const level = keyed
    .slice(0, index)
    .map(({ key, isNull, parameter }) => (isNull ? sql`${key.expression} is null` : sql`${key.expression} = ${parameter}`));
  const at = keyed[index];
  return at === undefined ? [] : behindOne(at).map((behind) => sql.join([...level, behind], ' and '));
}

function behindOne({ key, isNull, parameter }: Keyed): readonly Sql[] {
  const { expression, isDescending, isNullable } = key;
  if (isNull) return isDescending ? [sql`${expression} is not null`] : [];
  if (isDescending) return [sql`${expression} < ${parameter}`];
  return isNullable ? [sql`${expression} > ${parameter}`, sql`${expression} is null`] : [sql`${expression} > ${parameter}`];
}
