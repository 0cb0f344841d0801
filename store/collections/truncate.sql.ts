import { sql, statement, type Sql } from '../postgres/sql.ts';

/** Nobody writes to the table, or makes a reference to its records, until the transaction ends. */
export function lockForTruncate(table: string): Sql {
  return sql`lock table ${sql.id('data', table)} in access exclusive mode`;
}

/** A row where some record refers by `column`. */
export function someReference(table: string, column: string): Sql {
  return sql`
    select 1 as found
    from ${sql.id('data', table)}
    where ${sql.id(column)} is not null
    limit 1`;
}

export function countRecords(table: string): Sql {
  return sql`select count(*)::text as total from ${sql.id('data', table)}`;
}

export function truncateTables(tables: readonly string[]): Sql {
  return sql`truncate ${sql.join(tables.map((table) => sql.id('data', table)))}`;
}

/** Postgres does not truncate a table that a foreign key of another one refers to, not even where that has no rows. */
export function deleteRecords(table: string): Sql {
  return sql`delete from ${sql.id('data', table)}`;
}

/** The one row of the log for all of them. */
export const insertTruncation = statement(
  'collections.log-truncate',
  sql`
    insert into svc.outbox (collection, record, action, catalogue)
    values (${sql.param(1)}, '', 'truncate', ${sql.param(2)})
  `,
);
