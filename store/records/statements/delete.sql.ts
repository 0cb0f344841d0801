import { sql, statement } from '../../postgres/sql.ts';
import type { WriteShape } from '../../postgres/write-coalescer.ts';
import type { RecordShape } from '../shape/shape.ts';
import { lockedSql } from './update.sql.ts';
import { answerSql, deleteColumns, inputSql, outboxSql, type Company } from './write-columns.sql.ts';

/** Deletes records that still have the version their writer read, with their links and their rows of the log. */
export function deleteShape(shape: RecordShape, company: Company): WriteShape {
  const written = sql`written`;
  const unlinked = shape.fields.flatMap((field, index) =>
    field.place.kind === 'join'
      ? [sql`${sql.id(`unlinked_${index}`)} as (delete from ${field.place.table} link using locked where link.record = locked.id)`]
      : [],
  );
  const body = sql`
    with ${inputSql(deleteColumns, company)},
    ${lockedSql(shape, [], company)},
    written as (
      delete from ${shape.table} record
      using locked
      join input using (number)
      where record.id = locked.id
      returning input.number, input.seq
    ),
    ${sql.join([outboxSql(shape, 'delete', written), ...unlinked], ',')}
    ${answerSql(written)}
  `;
  return {
    statement: statement(`records.delete.${company}`, body),
    version: shape.schema.version,
    columns: deleteColumns.map((column) => column.travel),
  };
}
