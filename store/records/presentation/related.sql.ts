import { sql, statement, type Sql, type Statement } from '../../postgres/sql.ts';
import type { Sight } from '../shape/document.ts';
import { documentSql } from '../statements/document.sql.ts';
import type { ExpandNode } from './expand-tree.ts';

/** Records shown beside one record at most, where others point to it. */
const backMax = 1_000;
/** Rows that one statement answers at most, and one more. */
export const relatedMax = 20_000;

/**
 * The records that a relation leads to. Takes the catalogue version, ids, and what the rule takes. Along a relation the ids
 * are the records' own, against one those of the records that are pointed to; answers (version, that id, document).
 */
export function selectRelated(node: ExpandNode, sight: Sight, rule: Sql | undefined): Statement {
  const condition = rule === undefined ? sql.empty : sql` and (${rule})`;
  return statement(
    `records.expand.${node.direction}`,
    sql`
      select catalogue.version::text, found.key, found.document
      from svc.catalogue catalogue
      left join (${node.direction === 'forward' ? forward(node, sight, condition) : backward(node, sight, condition)} limit ${sql.integer(relatedMax + 1)}) found
        on catalogue.version = ${sql.param(1)}::bigint
    `,
  );
}

function forward({ shape }: ExpandNode, sight: Sight, condition: Sql): Sql {
  return sql`
        select record.id as key, ${documentSql(shape, sight)} as document
        from ${shape.table} record
        where record.id = any(${sql.param(2)}::text[])${condition}`;
}

function backward({ field, shape }: ExpandNode, sight: Sight, condition: Sql): Sql {
  const { place } = field;
  const pointing =
    place.kind === 'column'
      ? sql`${shape.table} record where record.${sql.id(field.name)} = pointed.id`
      : sql`${place.table} link join ${shape.table} record on record.id = link.record where link.target = pointed.id`;
  return sql`
        select pointed.id as key, pointing.document
        from unnest(${sql.param(2)}::text[]) as pointed(id)
        cross join lateral (
          select ${documentSql(shape, sight)} as document
          from ${pointing}${condition}
          order by record.created_at, record.id
          limit ${sql.integer(backMax)}
        ) pointing`;
}
