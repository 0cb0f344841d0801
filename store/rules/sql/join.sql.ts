import { sql, type Sql } from '../../postgres/sql.ts';
import type { JoinedRow, Operand } from '../check/typed-tree.ts';
import { jsonAt, jsonElements } from './json.sql.ts';
import { columnSql, linksTable, parameter, rowTable, type Place } from './scalar.sql.ts';

/** One table, or set of values, of a subquery. */
export interface Join {
  readonly source: Sql;
  readonly on: Sql | undefined;
  /** Asked for by name, not reached from a row: where it is empty, nothing stands for it. */
  readonly isInner: boolean;
}

/** The tables that lead to a row. */
export function joinRow(
  place: Place,
  { row, alias, linkAlias }: { readonly row: JoinedRow; readonly alias: string; readonly linkAlias: string },
): readonly Join[] {
  const { step } = row;
  const source = sql`${rowTable(row)} ${sql.id(alias)}`;
  const id = sql.id(alias, 'id');
  if (step.kind === 'collection') return [{ source, on: undefined, isInner: true }];
  if (step.kind === 'request') {
    const given = parameter(place.parameters.request(step, step.isList ? 'list' : 'text'), step.isList ? 'list' : 'text');
    return [outer(source, sql`${id} = ${step.isList ? sql`any(${given})` : given}`)];
  }
  const from = place.rowAlias(step.from);
  const isForward = step.kind === 'forward';
  if (step.field.place === 'column') {
    const on = isForward ? sql`${id} = ${sql.id(from, step.field.name)}` : sql`${sql.id(alias, step.field.name)} = ${sql.id(from, 'id')}`;
    return [outer(source, on)];
  }
  const [near, far] = isForward ? ['record', 'target'] : ['target', 'record'];
  return [
    outer(sql`${linksTable(step.field)} ${sql.id(linkAlias)}`, sql`${sql.id(linkAlias, near)} = ${sql.id(from, 'id')}`),
    outer(source, sql`${id} = ${sql.id(linkAlias, far)}`),
  ];
}

/** The values of a list, and the expression for one of them. */
export function joinElements(
  place: Place,
  { list, alias }: { readonly list: Operand; readonly alias: string },
): { readonly join: Join; readonly value: Sql } {
  const value = sql.id(alias, 'value');
  const rows = (set: Sql): Join => outer(sql`${set} as ${sql.id(alias)}("value")`, undefined);
  if (list.kind === 'request') return { join: rows(sql`unnest(${parameter(place.parameters.request(list, 'list'), 'list')})`), value };
  if (list.kind !== 'field') throw new TypeError('only fields and values of the request hold lists');
  const column = columnSql(place, list.row, list.field);
  if (list.field.type === 'json') return { join: rows(jsonElements(jsonAt(column, list.path))), value };
  if (list.field.place === 'list') return { join: rows(sql`unnest(${column})`), value };
  const on = sql`${sql.id(alias, 'record')} = ${sql.id(place.rowAlias(list.row), 'id')}`;
  return { join: outer(sql`${linksTable(list.field)} ${sql.id(alias)}`, on), value: sql.id(alias, 'target') };
}

function outer(source: Sql, on: Sql | undefined): Join {
  return { source, on, isInner: false };
}
