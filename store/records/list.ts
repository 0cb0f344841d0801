import { fail } from '../../proto/errors/svc-error.ts';
import { hasUniqueIndex } from '../collections/table/table-shape.ts';
import { withSchema } from '../collections/with-schema.ts';
import type { TextRow } from '../postgres/connection.ts';
import { sqlState, sqlStates } from '../postgres/errors.ts';
import type { Statement } from '../postgres/sql.ts';
import { StaleCatalogue } from '../postgres/stale-catalogue.ts';
import { sightOf } from './access.ts';
import type { RecordAnswer, RecordDeps, RecordRequest } from './deps.ts';
import type { Sight } from './shape/document.ts';
import { readListQuery, type ListQuery, type SortKey } from './list-query.ts';
import { judgeOf } from './rules/judge.ts';
import { narrowingOf, type Narrowing } from './rules/narrowing.ts';
import { isMember, requireMembers } from './shape/members.ts';
import type { RecordShape } from './shape/shape.ts';
import { countedMax, selectPage, type ListForm, type OrderKey } from './statements/list.sql.ts';

/** A list that takes longer is given up with `query_too_slow`. */
const slowListMs = 10_000;
/** Rows that a list on the shared connections may skip; more wait among the slow ones. */
const fastOffsetMax = 2_000;
/** Pages read from documents and columns after one that met an old document. */
const pagesAfterMiss = 100;
/** A list's statement is prepared from this use on. */
const preparedFromUse = 3;

/** Answers one page of a collection's records. */
export async function listRecords(deps: RecordDeps, input: RecordRequest): Promise<RecordAnswer> {
  const query = readListQuery(input.query);
  return withSchema(deps.catalogue, async (schema) => {
    const shape = deps.shapes.named(schema, input.collection);
    const { principal } = input;
    const request = { method: 'GET', query: input.query } as const;
    const judge = judgeOf(deps, shape, { rule: 'listRule', principal, request });
    const sight = sightOf(shape, principal);
    const narrowing = narrowingOf(deps, shape, { principal, sight, judge, filter: query.filter, request, firstParameter: 3 });
    const form = formOf(shape, query, sight, narrowing);
    return { status: 200, body: envelope(query, await readPage(deps, shape, query, form)), etag: '' };
  });
}

function formOf(shape: RecordShape, query: ListQuery, sight: Sight, narrowing: Narrowing | undefined): ListForm {
  requireMembers(shape, sight, 'fields', query.fields);
  const documents = query.fields.length > 0 || sight === 'full' ? 'any' : 'stored';
  return { sight, order: orderOf(shape, query.sort, sight), fields: query.fields, total: query.total, documents, narrowing };
}

/**
 * Reads the page from stored documents alone, and again from documents and columns where one is not current: an expression
 * that could build a document costs Postgres 40 µs a page even when it is never taken. After a miss the next pages are read
 * the second way at once, because a change of schema makes many documents old.
 */
async function readPage(deps: RecordDeps, shape: RecordShape, query: ListQuery, form: ListForm): Promise<TextRow> {
  const misses = shape.compiled.get('list misses', () => ({ pagesLeft: 0 }));
  const isTrusting = form.documents === 'stored' && misses.pagesLeft === 0;
  if (!isTrusting) misses.pagesLeft = Math.max(0, misses.pagesLeft - 1);
  const row = await runPage(deps, shape, query, isTrusting ? form : { ...form, documents: 'any' });
  if (row === undefined || row[0] !== shape.schema.version) throw new StaleCatalogue();
  if (!isTrusting || row[4] === '0') return row;
  misses.pagesLeft = pagesAfterMiss;
  return readPage(deps, shape, query, form);
}

/** Newest first unless asked otherwise; always settled by id, so that pages neither overlap nor leave gaps. */
function orderOf(shape: RecordShape, keys: readonly SortKey[], sight: Sight): readonly OrderKey[] {
  if (keys.length === 0) return [column('created_at', true), column('id', true)];
  const order = keys.map((key) => (key.kind === 'random' ? key : sortColumn(shape, key, sight)));
  const isSettled = order.some((key) => key.kind === 'column' && key.name === 'id');
  const last = order.at(-1);
  return isSettled ? order : [...order, column('id', last?.kind === 'column' && last.isDescending)];
}

function column(name: string, isDescending: boolean): OrderKey {
  return { kind: 'column', name, isDescending };
}

function sortColumn(shape: RecordShape, key: { readonly name: string; readonly isDescending: boolean }, sight: Sight): OrderKey {
  const field = shape.byName.get(key.name);
  if (!isMember(shape, sight, key.name)) refuseSort(`there is no field called ${JSON.stringify(key.name.slice(0, 64))}`);
  if (field !== undefined && (field.isList || field.field.type === 'json')) refuseSort(`${key.name} has no order`);
  return column(key.name, key.isDescending);
}

function refuseSort(reason: string): never {
  return fail('bad_query', { values: { parameter: 'sort', reason } });
}

async function runPage(deps: RecordDeps, shape: RecordShape, query: ListQuery, form: ListForm): Promise<TextRow | undefined> {
  const compiled = shape.compiled.get(`list ${JSON.stringify({ ...form, narrowing: form.narrowing?.key })}`, () => ({
    statement: selectPage(shape, form),
    uses: 0,
  }));
  compiled.uses += 1;
  const offset = (query.page - 1) * query.perPage;
  if (!Number.isSafeInteger(offset)) return fail('bad_query', { values: { parameter: 'page', reason: 'it is beyond any list' } });
  const values = [String(query.perPage), String(offset), ...(form.narrowing?.values ?? [])];
  const slowly = async () => (await explained(deps.database.slowQuery(compiled.statement, values, slowListMs)))[0];
  if (!isFast(shape, form, offset)) return slowly();
  try {
    return (await deps.database.sharedQuery(preparedInTime(compiled), values))[0];
  } catch (error) {
    // Somebody has locked the table; waiting for it is done where it holds nobody up.
    if (sqlState(error) === sqlStates.lockNotAvailable) return slowly();
    throw error;
  }
}

function preparedInTime(compiled: { readonly statement: Statement; readonly uses: number }): Statement {
  return compiled.uses < preparedFromUse ? { ...compiled.statement, name: '' } : compiled.statement;
}

/** Whether an index serves the order and little is skipped, so that the page costs about its own length. */
function isFast(shape: RecordShape, form: ListForm, offset: number): boolean {
  const [first] = form.order;
  if (form.narrowing?.isIndexed === false) return false;
  if (form.total === 'exact' || offset > fastOffsetMax || first === undefined || first.kind === 'random') return false;
  if (first.name === 'created_at' || first.name === 'id') return true;
  const { indexes } = shape.collection;
  const field = shape.byName.get(first.name)?.field;
  return (field !== undefined && hasUniqueIndex(field)) || indexes.some((index) => index.fields[0]?.name === first.name);
}

async function explained<Result>(query: Promise<Result>): Promise<Result> {
  try {
    return await query;
  } catch (error) {
    if (sqlState(error) === sqlStates.queryCanceled) fail('query_too_slow', {}, error);
    if (sqlState(error) === sqlStates.lockNotAvailable) fail('timed_out', {}, error);
    throw error;
  }
}

function envelope(query: ListQuery, row: TextRow): string {
  const { items, isEstimate } = totalOf(query, row);
  const pages = items < 0 ? -1 : Math.ceil(items / query.perPage);
  const head = `{"page":${query.page},"perPage":${query.perPage},"totalItems":${items},"totalPages":${pages}`;
  return `${head}${isEstimate ? ',"totalIsEstimate":true' : ''},"items":${row[1] ?? '[]'},"nextCursor":null,"prevCursor":null}`;
}

function totalOf(query: ListQuery, row: TextRow): { readonly items: number; readonly isEstimate: boolean } {
  const counted = row[2] === null ? Infinity : Number(row[2]);
  if (query.total !== 'bounded' || counted <= countedMax) return { items: counted, isEstimate: false };
  return { items: Math.max(countedMax + 1, Number(row[3])), isEstimate: true };
}
