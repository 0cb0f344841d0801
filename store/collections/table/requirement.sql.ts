import type { Field } from '../../../proto/fields/field-type.ts';
import { isListField } from '../../../proto/fields/registry.ts';
import { relationOf } from '../../../proto/fields/types/relation.ts';
import { sql, type Sql } from '../../postgres/sql.ts';
import { dataTable } from './table.sql.ts';
import { joinTable } from './table-shape.ts';

/** One row where some record of `table` fulfils `condition`, which speaks of the row as `record`; none otherwise. */
export function someRecord(table: string, condition: Sql): Sql {
  return sql`
    select 1 as found
    from ${dataTable(table)} record
    where ${condition}
    limit 1`;
}

/** Whether the row `record` lacks a value that a required field must have: null, blank text, an empty list. */
export function lacksValue(field: Field): Sql {
  const column = sql`record.${sql.id(field.name)}`;
  if (relationOf(field)?.cardinality === 'M:N') {
    return sql`not exists (select from ${dataTable(joinTable(field.id))} link where link.record = record.id)`;
  }
  if (isListField(field)) return sql`cardinality(${column}) = 0`;
  switch (field.type) {
    case 'text':
    case 'email':
    case 'url':
    case 'select':
    case 'relation':
      return sql`(${column} is null or ${column} !~ '\\S')`;
    case 'json':
      return sql`(${column} is null or ${column}::text in ('""', '[]'))`;
    case 'number':
    case 'bool':
    case 'date':
    case 'datetime':
      return sql`${column} is null`;
  }
}
