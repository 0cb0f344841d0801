import { sql, type Sql } from '../../postgres/sql.ts';
import type { OrderKey } from './order.sql.ts';

/**
 * The records behind a position, in the order of `keys`: one condition, or two where the second part of the order begins at
 * the nulls of its first key, so that an index serves each. Postgres sorts nulls last, and first when descending. They take the
 * values that are not null.
 */
export function regionsBehind(keys: readonly OrderKey[], values: readonly (string | null)[], firstParameter: number): readonly Sql[] {
  const keyed = keys.map((key, index): Keyed => {
    const place = firstParameter + values.slice(0, index).filter((value) => value !== null).length;
    return { key, isNull: values[index] === null, parameter: sql`${sql.param(place)}::${sql.expression(key.sqlType)}` };
  });
  const [first, ...rest] = keyed;
  if (first === undefined) return [];
  if (!isUniform(keys)) return [behindEach(keyed)];
  const { key, isNull } = first;
  const nulls = sql`${key.expression} is null`;
  if (!isNull) return key.isNullable && !key.isDescending ? [behindRow(keyed), nulls] : [behindRow(keyed)];
  const behindNull = sql`${nulls} and ${behindRow(rest)}`;
  return key.isDescending ? [behindNull, sql`${key.expression} is not null`] : [behindNull];
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

/** One direction, and nulls at most in the first key: a comparison of rows says it, and an index answers it. */
function isUniform(keys: readonly OrderKey[]): boolean {
  return keys.every((key, index) => key.isDescending === keys[0]?.isDescending && (index === 0 || !key.isNullable));
}

function behindRow(keyed: readonly Keyed[]): Sql {
  const operator = keyed[0]?.key.isDescending === true ? sql`<` : sql`>`;
  const left = sql.join(keyed.map(({ key }) => key.expression));
  const right = sql.join(keyed.map(({ parameter }) => parameter));
  return sql`(${left}) ${operator} (${right})`;
}

/** Behind in the first key, or level with it and behind in the next, and so on. */
function behindEach(keyed: readonly Keyed[]): Sql {
  const [first, ...rest] = keyed;
  if (first === undefined) return sql`false`;
  const behind = behindOne(first);
  if (rest.length === 0) return behind;
  const level = first.isNull ? sql`${first.key.expression} is null` : sql`${first.key.expression} = ${first.parameter}`;
  return sql`(${behind} or (${level} and ${behindEach(rest)}))`;
}

function behindOne({ key, isNull, parameter }: Keyed): Sql {
  const { expression, isDescending, isNullable } = key;
  if (isNull) return isDescending ? sql`${expression} is not null` : sql`false`;
  if (isDescending) return sql`${expression} < ${parameter}`;
  return isNullable ? sql`(${expression} > ${parameter} or ${expression} is null)` : sql`${expression} > ${parameter}`;
}
