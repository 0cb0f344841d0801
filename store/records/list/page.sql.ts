import { sql, statement, type Sql, type Statement } from '../../postgres/sql.ts';
import { documentSql, projectedDocument, storedDocument } from '../statements/document.sql.ts';
import type { Sight } from '../shape/document.ts';
import type { RecordShape } from '../shape/shape.ts';
import type { TotalKind } from './list-query.ts';
import type { Order, OrderKey } from './order.sql.ts';

/** Matches that are counted exactly; beyond them a list says what the planner thinks (CONTRACT section 3). */
export const countedMax = 10_000;

/** Between documents and the like in an answer of Postgres; JSON text never holds it unescaped. */
export const separator = '\u001e';

/** What decides the text of a page's statement. */
export interface PageForm {
  readonly sight: Sight;
  /** Members to show; empty: the document as it is. */
  readonly members: readonly string[];
  readonly keys: Order['keys'];
  /** Whether the values of the keys are wanted beside the documents. */
  readonly withKeys: boolean;
  readonly total: TotalKind;
  /** Whether documents that are not current are left out (and counted as missing) or made from the columns. */
  readonly documents: 'stored' | 'any';
  /** What the records meet that belong to the list; undefined: all do. */
  readonly condition: Sql | undefined;
  /** The parts of the order that the page may come from, one after the other; none: all of it. */
  readonly regions: readonly Sql[];
}

/**
 * One page of records. Takes limit and offset, then what its conditions take; answers one row of (version, the documents one
 * after the other, matches counted, matches estimated, documents missing, the values of the keys). The count is null where
 * the collection is plainly larger than what is counted.
 */
export function selectPage(shape: RecordShape, form: PageForm): Statement {
  const { counted, estimated } = totals(shape, form);
  const mark = sql.literal(separator);
  return statement(
    'records.list',
    sql`
      select catalogue.version::text,
        page.items,
        ${counted}::text, ${estimated}::text,
        page.missing::text${form.withKeys ? sql`, page.keys` : sql.empty}
      from svc.catalogue catalogue
      cross join lateral (
        select string_agg(row.document, ${mark}) as items,
          count(*) - count(row.document) as missing${form.withKeys ? sql`, string_agg(row.keys, ${mark}) as keys` : sql.empty}
        from (${rows(shape, form)}) row
      ) page
    `,
  );
}

function rows(shape: RecordShape, form: PageForm): Sql {
  const { condition, regions, keys } = form;
  const order =
    keys === 'random' ? sql`random()` : sql.join(keys.map(({ expression, isDescending }) => (isDescending ? sql`${expression} desc` : expression)));
  const keysText = form.withKeys && keys !== 'random' ? sql`, ${keyValues(keys)} as keys` : sql.empty;
  const select = (region: Sql | undefined, more: Sql): Sql => sql`
          select ${shownDocument(shape, form)} as document${keysText}${more}
          from ${shape.table} record${where([condition, region])}
          order by ${order}
          limit ${sql.param(1)}::bigint offset ${sql.param(2)}::bigint
        `;
  if (regions.length < 2) return select(regions[0], sql.empty);
  const parts = regions.map(
    (region, index) => sql`(${select(region, sql`, ${sql.integer(index)} as region, row_number() over (order by ${order}) as place`)})`,
  );
  return sql`select * from (${sql.join(parts, ' union all ')}) parts order by region, place limit ${sql.param(1)}::bigint`;
}

/** One condition of several, those that are there; undefined where none is. */
export function conditionOf(conditions: readonly (Sql | undefined)[]): Sql | undefined {
  const held = conditions.flatMap((condition) => (condition === undefined ? [] : [sql`(${condition})`]));
  return held.length === 0 ? undefined : sql.join(held, ' and ');
}

function where(conditions: readonly (Sql | undefined)[]): Sql {
  const condition = conditionOf(conditions);
  return condition === undefined ? sql.empty : sql` where ${condition}`;
}

/** The values of the keys of one record. Takes the catalogue version and the id, then what the keys take. */
export function selectKeys(shape: RecordShape, keys: readonly OrderKey[]): Statement {
  const body = sql`
    select catalogue.version::text, case when record.id is not null then ${keyValues(keys)} end
    from svc.catalogue catalogue
    left join ${shape.table} record on catalogue.version = ${sql.param(1)}::bigint and record.id = ${sql.param(2)}
  `;
  return { ...statement('records.list.keys', body), name: '' };
}

function keyValues(keys: readonly OrderKey[]): Sql {
  return sql`json_build_array(${sql.join(keys.map(({ expression }) => sql`(${expression})::text`))})::text`;
}

function shownDocument(shape: RecordShape, form: PageForm): Sql {
  if (form.members.length > 0) return projectedDocument(shape, form.members);
  return form.documents === 'stored' ? storedDocument(shape) : documentSql(shape, form.sight);
}

const uncounted = sql`(-1)`;

/**
 * A collection that both the planner's figure and the live-row counter put at three times the limit is not counted:
 * walking 10,001 index entries costs more than the page itself.
 */
function totals(shape: RecordShape, { total, condition }: PageForm): { counted: Sql; estimated: Sql } {
  const matching = where([condition]);
  if (total === 'none') return { counted: uncounted, estimated: uncounted };
  if (total === 'exact') return { counted: sql`(select count(*) from ${shape.table} record${matching})`, estimated: uncounted };
  const bounded = sql`(select count(*) from (select from ${shape.table} record${matching} limit ${sql.integer(countedMax + 1)}) bounded)`;
  if (condition !== undefined) return { counted: bounded, estimated: uncounted };
  const plainlyLarger = sql.integer(countedMax * 3);
  const oid = sql`${sql.literal(shape.table.compile().text)}::regclass`;
  const planned = sql`(select reltuples from pg_class where oid = ${oid})`;
  const live = sql`pg_stat_get_live_tuples(${oid})`;
  return {
    counted: sql`case
          when ${planned} < ${plainlyLarger} or ${live} < ${plainlyLarger}
          then ${bounded}
        end`,
    estimated: sql`greatest(${planned}::bigint, ${live})`,
  };
}

/** What the planner expects the condition to match; takes two unused parameters first, as the page does. */
export function explainMatches(shape: RecordShape, condition: Sql): Statement {
  const unused = sql`${sql.param(1)}::bigint is not null and ${sql.param(2)}::bigint is not null`;
  return {
    ...statement('records.list.estimate', sql`explain (format json) select from ${shape.table} record where ${unused} and (${condition})`),
    name: '',
  };
}
