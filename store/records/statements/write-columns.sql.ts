import { sql, type Sql } from '../../postgres/sql.ts';
import type { RecordShape, ShapeField } from '../shape/shape.ts';

/**
 * How a batch of writes reaches Postgres: one array per column, unnested side by side into rows of text that are cast in
 * place. Each column has a name inside the statement, a place among the parameters, and a way to travel.
 */
export interface WriteColumn {
  readonly name: string;
  readonly travel: 'array' | 'documents';
}

/** Whether strangers share the statement (and nobody may wait or fail for another) or the write runs by itself. */
export type Company = 'together' | 'alone';

/** The system columns that a kind of write sends first. */
export const insertColumns: readonly WriteColumn[] = [
  { name: 'id', travel: 'array' },
  { name: 'at', travel: 'array' },
  { name: 'document', travel: 'documents' },
];

export const updateColumns: readonly WriteColumn[] = [
  { name: 'id', travel: 'array' },
  { name: 'expected', travel: 'array' },
  { name: 'at', travel: 'array' },
  { name: 'old_document', travel: 'documents' },
  { name: 'document', travel: 'documents' },
];

export const deleteColumns: readonly WriteColumn[] = [
  { name: 'id', travel: 'array' },
  { name: 'expected', travel: 'array' },
  { name: 'old_document', travel: 'documents' },
];

/** The columns of the values of `fields`, named by their place so that no name of a caller's stands in the statement twice. */
export function valueColumns(fields: readonly ShapeField[]): readonly WriteColumn[] {
  return fields.map((_, index) => ({ name: `value_${index}`, travel: 'array' }));
}

/** The value of the n-th field of a write, as its column takes it. */
export function valueSql(field: ShapeField, index: number): Sql {
  const value = sql`input.${sql.id(`value_${index}`)}`;
  if (field.place.kind === 'join') return value;
  const cast = sql`${value}::${sql.expression(field.place.sqlType)}`;
  return field.isList ? sql`coalesce(${cast}, '{}')` : cast;
}

/** The rows of a batch, numbered from 1, each with the record version it will have; none when the catalogue has moved on. */
export function inputSql(columns: readonly WriteColumn[], company: Company): Sql {
  const arrays = columns.map((column, index) => arraySql(column, index + 2));
  const names = [...columns.map((column) => sql.id(column.name)), sql`number`];
  const bound = company === 'together' ? sql`(select set_config('lock_timeout', '50ms', true)) bound, ` : sql.empty;
  return sql`
    input as materialized (
      select given.*, nextval('svc.outbox_seq_seq') as seq
      from ${bound}unnest(${sql.join(arrays)}) with ordinality as given(${sql.join(names)})
      where (select version from svc.catalogue) = ${sql.param(1)}::bigint
    )`;
}

/** The statement's answer: one row for each of `written`, and at least one. */
export function answerSql(written: Sql): Sql {
  return sql`
    select catalogue.version::text, ${written}.number::text, ${written}.seq::text
    from svc.catalogue catalogue
    left join ${written} on true`;
}

/** The rows of the log that the writes of `written` leave, in the same statement and so in the same transaction. */
export function outboxSql(shape: RecordShape, action: 'create' | 'update' | 'delete', written: Sql): Sql {
  const oldDocument = action === 'create' ? sql`null::text` : sql`input.old_document`;
  const newDocument = action === 'delete' ? sql`null::text` : sql`input.document`;
  return sql`
    logged as (
      insert into svc.outbox (seq, collection, record, action, catalogue, old, new)
      select input.seq, ${sql.literal(shape.collection.id)}, input.id, ${sql.literal(action)}, ${sql.param(1)}::bigint, ${oldDocument}, ${newDocument}
      from input
      join ${written} using (number)
    )`;
}

/** Conditions that the relations of a row hold; a row whose target is missing, or locked by somebody, is left out of a shared statement. */
export function relationsHoldSql(fields: readonly ShapeField[]): readonly Sql[] {
  return fields.flatMap((field, index) => {
    if (field.target === undefined) return [];
    const value = sql`input.${sql.id(`value_${index}`)}`;
    const found = (id: Sql) => sql`exists (select from ${field.target?.table ?? sql.empty} target where target.id = ${id} for key share skip locked)`;
    if (field.place.kind === 'column') return [sql`(${value} is null or ${found(value)})`];
    return [sql`not exists (select from unnest(${value}::text[]) as wanted(id) where not ${found(sql`wanted.id`)})`];
  });
}

/** Writes the join tables of `fields` for the records of `written`. */
export function linksSql(fields: readonly ShapeField[], written: Sql, after: Sql): readonly Sql[] {
  return fields.flatMap((field, index) => {
    if (field.place.kind !== 'join') return [];
    return [
      sql`
      ${sql.id(`links_${index}`)} as (
        insert into ${field.place.table} (record, target, position)
        select input.id, link.target, link.position
        from input
        join ${written} using (number)
        cross join lateral unnest(input.${sql.id(`value_${index}`)}::text[]) with ordinality as link(target, position)
        ${after}
      )`,
    ];
  });
}

function arraySql(column: WriteColumn, parameter: number): Sql {
  const place = sql.param(parameter);
  return column.travel === 'documents' ? sql`string_to_array(${place}::text, chr(30))` : sql`${place}::text[]`;
}
