import { ENTRIES, ITEMS, itemId, VISIBLE_COLUMNS } from './items.ts';

// The ceiling: what Postgres gives a C client that asks for the same rows in the same form. Its tables have the visible columns of the
// collections and copies of their indexes, but none of the service's own columns (so rows are half as wide: a harder mark to meet).

const columns = VISIBLE_COLUMNS.join(', ');

const copyTable = (collection: string): string => `
create table bench.${collection} as
  select ${columns}
  from data.${collection}
  order by created_at, id;
select replace(indexdef, format(' ON %I.%I ', schemaname, tablename), format(' ON bench.%I ', tablename))
  from pg_indexes
  where schemaname = 'data'
  and tablename = '${collection}'
  and indexdef !~ '_seq|_doc'
\\gexec
`;

/** psql input: makes the ceiling's tables out of the service's. */
export const MAKE_CEILING = `
set client_min_messages = warning;
drop schema if exists bench cascade;
create schema bench;
${copyTable(ITEMS)}
${copyTable(ENTRIES)}
create table bench.outbox (like svc.outbox including all);
vacuum (analyze) bench.${ITEMS};
vacuum (analyze) bench.${ENTRIES};
vacuum (analyze) data.${ITEMS};
vacuum (analyze) data.${ENTRIES};
`;

/** A pgbench script: GET one of the records by its key. */
export const getScript = (rows: number): string => `\\set id random(${itemId(0)}, ${itemId(rows - 1)})
select row_to_json(item) from bench.${ITEMS} item where id = :id;
`;

/** A pgbench script: one page of 30 out of the first \`pages\`, in the given order. */
export const listScript = (order: string, pages: number): string => `\\set skip 30 * random(0, ${pages - 1})
select json_agg(row_to_json(item)) from (select ${columns} from bench.${ITEMS} order by ${order} limit 30 offset :skip) item;
`;

/** A pgbench script: insert a record and its outbox row in one statement, and answer the record's JSON, made once. */
export const CREATE_SCRIPT = `\\set rank random(0, 9999)
with made as (
  insert into bench.${ENTRIES} (${columns})
  values (uuidv7()::text, now(), now(), 'Item 500001: a title of ordinary length',
    'What people write about item 500001. What people write about item 500001. What people write about item 500001.',
    :rank, 62.5, false, '2027-06-15T12:30:00.000Z', 'open')
  returning ${columns}
), logged as (
  insert into bench.outbox (collection, record, action, catalogue, new)
  select '${ENTRIES}', made.id, 'create', 1, row_to_json(made)::text from made
  returning new
)
select new from logged;
`;

/** psql input: the same record as Postgres itself writes it, one line for each id asked. */
export const recordsByIds = (ids: readonly string[]): string =>
  `select row_to_json(item) from bench.${ITEMS} item where id in (${ids.map((id) => `'${id}'`).join(', ')}) order by id;\n`;

/** psql input: the ids of one page, one a line. */
export const pageOfIds = (order: string, page: number): string =>
  `select id from bench.${ITEMS} order by ${order} limit 30 offset ${(page - 1) * 30};\n`;

/** psql input: how many records were created, and how many of them have exactly one create event. */
export const CREATED_AND_LOGGED = `
select count(*) from data.${ENTRIES};
select count(*)
  from data.${ENTRIES} entry
  join (
    select record from svc.outbox where action = 'create' group by record having count(*) = 1
  ) event on event.record = entry.id;
`;

/** psql input: the server's version. */
export const SERVER_VERSION = 'show server_version;\n';
