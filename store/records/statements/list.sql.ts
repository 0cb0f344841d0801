import { sql, statement, type Sql, type Statement } from '../../postgres/sql.ts';
import type { Sight } from '../shape/document.ts';
import type { TotalKind } from '../list-query.ts';
import type { Narrowing } from '../rules/narrowing.ts';
import type { RecordShape } from '../shape/shape.ts';
import { documentSql, projectedDocument, storedDocument } from './document.sql.ts';

/** Matches that are counted exactly; beyond them a list says what the planner thinks (CONTRACT section 3). */
export const countedMax = 10_000;

/** A key of the order: a column and its direction, or chance. */
export type OrderKey = { readonly kind: 'column'; readonly name: string; readonly isDescending: boolean } | { readonly kind: 'random' };

/** A list's form: all that decides its text. */
export interface ListForm {
  readonly sight: Sight;
  readonly order: readonly OrderKey[];
  /** Members to show; empty: the document as it is. */
  readonly fields: readonly string[];
  readonly total: TotalKind;
  /** Whether documents that are not current are left out (and counted as missing) or made from the columns. */
  readonly documents: 'stored' | 'any';
  /** Which records belong to the list; its parameters follow limit and offset. */
  readonly narrowing: Narrowing | undefined;
}

/**
 * One page of records. Takes limit and offset; answers one row of (version, the page as a JSON array, matches counted,
 * matches estimated, documents missing). The count is null where the collection is plainly larger than what is counted.
 */
export function selectPage(shape: RecordShape, form: ListForm): Statement {
  const where = form.narrowing === undefined ? sql.empty : sql` where (${form.narrowing.condition})`;
  const { counted, estimated } = totals(shape, form, where);
  return statement(
    'records.list',
    sql`
      select catalogue.version::text,
        '[' || coalesce(page.items, '') || ']',
        ${counted}::text, ${estimated}::text,
        page.missing::text
      from svc.catalogue catalogue
      cross join lateral (
        select string_agg(row.document, ',') as items, count(*) - count(row.document) as missing
        from (
          select ${shownDocument(shape, form)} as document
          from ${shape.table} record${where}
          order by ${sql.join(form.order.map(orderSql))}
          limit ${sql.param(1)}::bigint offset ${sql.param(2)}::bigint
        ) row
      ) page
    `,
  );
}

function shownDocument(shape: RecordShape, form: ListForm): Sql {
  if (form.fields.length > 0) return projectedDocument(shape, form.fields);
  return form.documents === 'stored' ? storedDocument(shape) : documentSql(shape, form.sight);
}

const uncounted = sql`(-1)`;

function orderSql(key: OrderKey): Sql {
  if (key.kind === 'random') return sql`random()`;
  return sql`record.${sql.id(key.name)}${key.isDescending ? sql` desc` : sql.empty}`;
}

/**
 * A collection that both the planner's figure and the live-row counter put at three times the limit is not counted:
 * walking 10,001 index entries costs more than the page itself.
 */
function totals(shape: RecordShape, { total, narrowing }: ListForm, where: Sql): { counted: Sql; estimated: Sql } {
  if (total === 'none') return { counted: uncounted, estimated: uncounted };
  if (total === 'exact') return { counted: sql`(select count(*) from ${shape.table} record${where})`, estimated: uncounted };
  const bounded = sql`(select count(*) from (select from ${shape.table} record${where} limit ${sql.integer(countedMax + 1)}) bounded)`;
  if (narrowing !== undefined) return { counted: bounded, estimated: uncounted };
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
