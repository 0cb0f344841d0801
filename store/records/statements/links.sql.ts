import { sql, type Sql } from '../../postgres/sql.ts';

/** The expression text that makes the JSON list of a relation to many, kept in the join table `links`, for the row `alias`. */
export function linksJson(links: Sql, alias: string): string {
  return sql`('[' || coalesce((
      select string_agg(to_json(link.target)::text, ',' order by link.position)
      from ${links} link
      where link.record = ${sql.id(alias)}.id
    ), '') || ']')`.compile().text;
}
