import { sql, statement } from '../postgres/sql.ts';

/** Serialises changes of schema across the cluster: each holds this row until it commits. */
export const lockCatalogue = statement('collections.lock', sql`select version::text from svc.catalogue for update`);

export const raiseVersion = statement('collections.raise-version', sql`update svc.catalogue set version = version + 1 returning version::text`);

export const insertCollection = statement(
  'collections.insert',
  sql`
    insert into svc.collections (id, name, type, system, definition, doc_version, created_at, updated_at)
    values (${sql.param(1)}, ${sql.param(2)}, ${sql.param(3)}, ${sql.param(4)}, ${sql.param(5)}, ${sql.param(6)}, ${sql.param(7)}, ${sql.param(8)})
  `,
);

export const updateCollectionRow = statement(
  'collections.update',
  sql`
    update svc.collections
    set name = ${sql.param(2)}, definition = ${sql.param(3)}, doc_version = ${sql.param(4)}, updated_at = ${sql.param(5)}
    where id = ${sql.param(1)}
  `,
);

export const deleteCollection = statement('collections.delete', sql`delete from svc.collections where id = ${sql.param(1)}`);
