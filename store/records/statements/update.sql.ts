import { sql, statement, type Sql } from '../../postgres/sql.ts';
import type { WriteShape } from '../../postgres/write-coalescer.ts';
import type { RecordShape, ShapeField } from '../shape/shape.ts';
import {
  answerSql,
  inputSql,
  linksSql,
  outboxSql,
  relationsHoldSql,
  updateColumns,
  valueColumns,
  valueSql,
  type Company,
} from './write-columns.sql.ts';

/**
 * Updates `changed` fields of records that still have the version their writer read, with their rows of the log.
 * Together, a record that is locked or has moved on is left out.
 */
export function updateShape(shape: RecordShape, changed: readonly ShapeField[], company: Company): WriteShape {
  const columns = [...updateColumns, ...valueColumns(changed)];
  const assignments = changed.flatMap((field, index) =>
    field.place.kind === 'column' ? [sql`${sql.id(field.name)} = ${valueSql(field, index)}`] : [],
  );
  const written = sql`written`;
  const body = sql`
    with ${inputSql(columns, company)},
    ${lockedSql(shape, company === 'together' ? relationsHoldSql(changed) : [], company)},
    written as (
      update ${shape.table} record
      set ${sql.join([...systemAssignments(shape), ...assignments])}
      from locked
      join input using (number)
      where record.id = locked.id
      returning input.number, input.seq
    ),
    ${sql.join([outboxSql(shape, 'update', written), ...unlinkSql(changed), ...linksSql(changed, written, afterUnlinking(changed))], ',')}
    ${answerSql(written)}
  `;
  return {
    statement: statement(`records.update.${company}`, body),
    version: shape.schema.version,
    columns: columns.map((column) => column.travel),
  };
}

/** The rows of a batch that are still as their writers read them, locked in the order of their ids. */
export function lockedSql(shape: RecordShape, conditions: readonly Sql[], company: Company): Sql {
  return sql`
    locked as materialized (
      select record.id, input.number
      from input
      join ${shape.table} record on record.id = input.id and record._seq = input.expected::bigint
      ${conditions.length > 0 ? sql`where ${sql.join(conditions, ' and ')}` : sql.empty}
      order by record.id
      for update of record${company === 'together' ? sql` skip locked` : sql.empty}
    )`;
}

function systemAssignments(shape: RecordShape): readonly Sql[] {
  return [
    sql`updated_at = input.at::timestamptz`,
    sql`_seq = input.seq`,
    sql`_doc = input.document`,
    sql`_doc_v = ${sql.integer(shape.collection.docVersion)}`,
  ];
}

function unlinkSql(changed: readonly ShapeField[]): readonly Sql[] {
  return changed.flatMap((field, index) =>
    field.place.kind === 'join'
      ? [
          sql`
      ${sql.id(`unlinked_${index}`)} as (
        delete from ${field.place.table} link
        using input
        join written using (number)
        where link.record = input.id
        returning 1
      )`,
        ]
      : [],
  );
}

/** New links wait for the old ones to go: a link that stays has the same key as the one removed. */
function afterUnlinking(changed: readonly ShapeField[]): Sql {
  const counts = changed.flatMap((field, index) =>
    field.place.kind === 'join' ? [sql`(select count(*) from ${sql.id(`unlinked_${index}`)}) >= 0`] : [],
  );
  return counts.length === 0 ? sql.empty : sql`where ${sql.join(counts, ' and ')}`;
}
