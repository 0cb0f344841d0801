import { sql, statement, type Statement } from '../../postgres/sql.ts';
import { builtDocument } from './document.sql.ts';
import type { RecordShape } from '../shape/shape.ts';

/** The collections whose documents may be older than their definition. */
export const selectOutdated = statement(
  'documents.outdated',
  sql`
    select collection.id
    from svc.collections collection
    left join svc.document_refresh refresh on refresh.collection = collection.id
    where refresh.doc_version is distinct from collection.doc_version
    order by collection.id
  `,
);

/** True for one process at a time; the lock goes with the transaction. */
export const tryRefreshLock = statement('documents.lock', sql`select pg_try_advisory_xact_lock(hashtextextended('svc.document_refresh', 0))::text`);

/**
 * Makes some outdated documents anew from their columns, by id from the one given on, passing over rows that are locked.
 * Takes (catalogue version, last id, how many); answers (catalogue version, last id done), its id null at the table's end.
 */
export function refreshSome(shape: RecordShape): Statement {
  const version = sql.integer(shape.collection.docVersion);
  const visible = shape.fields.filter((field) => !field.isHidden);
  return statement(
    'documents.refresh',
    sql`
      with outdated as materialized (
        select record.id
        from ${shape.table} record
        where record.id > ${sql.param(2)}
          and record._doc_v is distinct from ${version}
          and (select version from svc.catalogue) = ${sql.param(1)}::bigint
        order by record.id
        limit ${sql.param(3)}::int
        for no key update skip locked
      ),
      refreshed as (
        update ${shape.table} record
        set _doc = ${builtDocument(visible)}, _doc_v = ${version}
        from outdated
        where record.id = outdated.id
        returning record.id
      )
      select (select version from svc.catalogue)::text, (select max(id) from refreshed)
    `,
  );
}

/** Notes that a collection's documents have all been made by this version. Takes (collection, version). */
export const markRefreshed = statement(
  'documents.refreshed',
  sql`
    insert into svc.document_refresh (collection, doc_version)
    select collection.id, collection.doc_version
    from svc.collections collection
    where collection.id = ${sql.param(1)}
      and collection.doc_version = ${sql.param(2)}::bigint
    on conflict (collection) do update set doc_version = excluded.doc_version
  `,
);
