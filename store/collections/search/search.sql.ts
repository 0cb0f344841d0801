import type { Field } from '../../../proto/fields/field-type.ts';
import type { CollectionDefinition } from '../../../proto/schema/definition.ts';
import { quoteName, sql, statement, type Sql, type Statement } from '../../postgres/sql.ts';

/** What stands further back is not searched: more words than Postgres can keep of a record (1 MB, 12.11) would refuse the record itself. */
const searchedCharactersMax = 100_000;
const searchedTypes: readonly string[] = ['text', 'email', 'url'];

/** The fields that a search looks at; hidden ones are never searched. */
export function searchedFields(collection: Pick<CollectionDefinition, 'fields'>): readonly Field[] {
  return collection.fields.filter(({ type, hidden }) => searchedTypes.includes(type) && !hidden);
}

/** Whether the record `record` has the words that the parameter asks for as people write them: "quoted phrases", or, -without. */
export function hasWords(collection: CollectionDefinition, parameter: number): Sql {
  if (searchedFields(collection).length === 0) return sql`${sql.param(parameter)}::text is null`;
  return sql`${wordsOf(collection, 'record')} @@ websearch_to_tsquery('simple'::regconfig, ${sql.param(parameter)})`;
}

/** (the state of the index of a collection's words: `missing`, `building`, `broken` or `ready`). */
export const selectSearchIndex = statement(
  'search.index-state',
  sql`
    select case
      when index.indexrelid is null then 'missing'
      when index.indisvalid then 'ready'
      when exists (select from pg_stat_progress_create_index progress where progress.index_relid = index.indexrelid) then 'building'
      else 'broken'
    end
    from (select to_regclass(${sql.param(1)})::oid as id) wanted
    left join pg_index index on index.indexrelid = wanted.id
  `,
);

/** What Postgres calls the index. */
export function searchIndexName({ id }: Pick<CollectionDefinition, 'id'>): string {
  return `data.fts_${id}`;
}

/** Beside readers and writers; not inside a transaction. */
export function createSearchIndex(collection: CollectionDefinition): Statement {
  const name = sql.id(`fts_${collection.id}`);
  return statement(
    'search.create-index',
    sql`create index concurrently if not exists ${name} on ${sql.id('data', collection.name)} using gin (${wordsOf(collection, undefined)})`,
  );
}

/** Of an index whose making was broken off; not inside a transaction. */
export function dropBrokenSearchIndex({ id }: CollectionDefinition): Statement {
  return statement('search.drop-index', sql`drop index concurrently if exists ${sql.id('data', `fts_${id}`)}`);
}

/** Before a change of the fields that it is of. */
export function dropSearchIndex({ id }: CollectionDefinition): Sql {
  return sql`drop index if exists ${sql.id('data', `fts_${id}`)}`;
}

/** All words of the record; `simple` knows no language, so that none is left out (PostgreSQL, 12.3). */
function wordsOf(collection: CollectionDefinition, alias: string | undefined): Sql {
  const texts = searchedFields(collection).map(({ name }) => {
    const column = sql.expression(alias === undefined ? quoteName(name) : quoteName(alias, name));
    return sql`coalesce(${column}, '')`;
  });
  return sql`to_tsvector('simple'::regconfig, left(${sql.join(texts, ` || ' ' || `)}, ${sql.integer(searchedCharactersMax)}))`;
}
