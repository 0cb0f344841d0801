import { sql, statement } from '../../postgres/sql.ts';
import type { WriteShape } from '../../postgres/write-coalescer.ts';
import type { RecordShape } from '../shape/shape.ts';
import {
  answerSql,
  inputSql,
  insertColumns,
  linksSql,
  outboxSql,
  relationsHoldSql,
  valueColumns,
  valueSql,
  type Company,
} from './write-columns.sql.ts';

/** Inserts records with their rows of the log. Together, what clashes or points nowhere is left out; alone, it fails with the constraint's name. */
export function insertShape(shape: RecordShape, company: Company): WriteShape {
  const { fields } = shape;
  const columns = [...insertColumns, ...valueColumns(fields)];
  const stored = fields.flatMap((field, index) =>
    field.place.kind === 'column' ? [{ name: sql.id(field.name), value: valueSql(field, index) }] : [],
  );
  const written = sql`written`;
  const conditions = company === 'together' ? relationsHoldSql(fields) : [];
  const body = sql`
    with ${inputSql(columns, company)},
    written_ids as (
      insert into ${shape.table} (id, created_at, updated_at, _seq, _doc, _doc_v${prefixed(stored.map((column) => column.name))})
      select input.id, input.at::timestamptz, input.at::timestamptz, input.seq, input.document, ${sql.integer(shape.collection.docVersion)}${prefixed(stored.map((column) => column.value))}
      from input
      ${conditions.length > 0 ? sql`where ${sql.join(conditions, ' and ')}` : sql.empty}
      ${company === 'together' ? sql`on conflict do nothing` : sql.empty}
      returning _seq
    ),
    written as (
      select input.number, input.seq
      from input
      join written_ids on written_ids._seq = input.seq
    ),
    ${sql.join([outboxSql(shape, 'create', written), ...linksSql(fields, written, sql.empty)], ',')}
    ${answerSql(written)}
  `;
  return {
    statement: statement(`records.insert.${company}`, body),
    version: shape.schema.version,
    columns: columns.map((column) => column.travel),
  };
}

function prefixed(parts: readonly ReturnType<typeof sql>[]) {
  return parts.length === 0 ? sql.empty : sql`, ${sql.join(parts)}`;
}
