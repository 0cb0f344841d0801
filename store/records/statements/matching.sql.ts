import { sql, statement, type Sql, type Statement } from '../../postgres/sql.ts';
import type { RecordShape } from '../shape/shape.ts';

/**
 * The records where `condition` holds, locked in the order of their ids. Takes the catalogue version, how many at most, and
 * what the condition takes; answers rows (version, id), at least one, its id null where nothing was found.
 */
export function selectMatching(shape: RecordShape, condition: Sql): Statement {
  return statement(
    'records.matching',
    sql`
      with matching as materialized (
        select record.id
        from ${shape.table} record
        where (${condition})
        order by record.id
        limit ${sql.param(2)}::bigint
        for update of record
      )
      select catalogue.version::text, matching.id
      from svc.catalogue catalogue
      left join matching on catalogue.version = ${sql.param(1)}::bigint
      order by matching.id
    `,
  );
}
