import { sql, statement, type Statement } from '../../postgres/sql.ts';
import type { Sight } from '../shape/document.ts';
import type { RecordShape } from '../shape/shape.ts';
import { documentSql } from './document.sql.ts';

/** Records by id. Takes the catalogue version and ids; answers (version, id, document, record version), once with nulls where none is found. */
export function selectByIds(shape: RecordShape, sight: Sight): Statement {
  return statement(
    `records.view.${sight}`,
    sql`
      select catalogue.version::text, record.id, ${documentSql(shape, sight)}, record._seq::text
      from svc.catalogue catalogue
      left join ${shape.table} record
        on catalogue.version = ${sql.param(1)}::bigint
        and record.id = any(${sql.param(2)}::text[])
    `,
  );
}

/** Locks records in the order of their ids. Reading them is the next statement's, whose snapshot sees what the lock waited for. */
export function lockByIds(shape: RecordShape): Statement {
  return statement(
    'records.lock',
    sql`
      select record.id
      from ${shape.table} record
      where record.id = any(${sql.param(1)}::text[])
      order by record.id
      for update of record
    `,
  );
}
