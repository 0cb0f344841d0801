import { sql, statement, type Sql, type Statement } from '../../postgres/sql.ts';
import type { Sight } from '../shape/document.ts';
import type { RecordShape } from '../shape/shape.ts';
import { documentSql } from './document.sql.ts';

/**
 * One record where `condition` holds for it. Takes the catalogue version, the id and what the condition takes; answers one
 * row (version, id, document, record version), with nulls where there is no such record or it does not pass.
 */
export function selectAllowed(shape: RecordShape, sight: Sight, condition: Sql): Statement {
  return statement(
    `records.allowed.${sight}`,
    sql`
      select catalogue.version::text, record.id, ${documentSql(shape, sight)}, record._seq::text
      from svc.catalogue catalogue
      left join ${shape.table} record
        on catalogue.version = ${sql.param(1)}::bigint
        and record.id = ${sql.param(2)}::text
        and (${condition})
    `,
  );
}
