import { sql, statement } from '../postgres/sql.ts';

/** The catalogue's version, alone. */
export const selectVersion = statement('catalogue.version', sql`select version::text from svc.catalogue`);

/** Every collection beside the catalogue's version, of one snapshot. */
export const selectCatalogue = statement(
  'catalogue.load',
  sql`
    select catalogue.version::text, collection.id, collection.name, collection.type, collection.system::text,
      collection.definition::text, collection.doc_version::text,
      to_char(collection.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      to_char(collection.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    from svc.catalogue catalogue
    left join svc.collections collection on true
    order by collection.name collate "C"
  `,
);
