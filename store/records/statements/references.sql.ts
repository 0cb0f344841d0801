import { sql, statement, type Statement } from '../../postgres/sql.ts';
import type { RecordShape, ShapeField } from '../shape/shape.ts';

/**
 * The records whose relation `field` points to any of the ids given, and whether nothing is left in it without them.
 * Takes the ids, a limit (one row more tells that there are more) and, for a relation to many, all ids that go.
 */
export function selectReferring(shape: RecordShape, field: ShapeField): Statement {
  const ids = sql`any(${sql.param(1)}::text[])`;
  const limit = sql`limit ${sql.param(2)}::int + 1`;
  if (field.place.kind === 'column') {
    return statement('records.referring', sql`select id, 'true' from ${shape.table} where ${sql.id(field.name)} = ${ids} ${limit}`);
  }
  const { table } = field.place;
  return statement(
    'records.referring',
    sql`
      select record, bool_and(target = any(${sql.param(3)}::text[]))::text
      from ${table}
      where record in (select record from ${table} where target = ${ids})
      group by record
      ${limit}
    `,
  );
}
