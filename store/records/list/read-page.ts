import { hasUniqueIndex } from '../../collections/table/table-shape.ts';
import type { TextRow } from '../../postgres/connection.ts';
import type { Statement } from '../../postgres/sql.ts';
import { StaleCatalogue } from '../../postgres/stale-catalogue.ts';
import type { RecordDeps } from '../deps.ts';
import { refuseParameter } from '../parameters.ts';
import { quicklyIfFree, slowly } from '../slowly.ts';
import type { RecordShape } from '../shape/shape.ts';
import type { Walk } from './envelope.ts';
import type { Order, OrderKey } from './order.sql.ts';
import type { List } from './plan.ts';
import { selectPage, separator, type PageForm } from './page.sql.ts';

import { estimateOf, totalOf, type Total } from './totals.ts';

/** Rows that a list on the shared connections may skip; more wait among the slow ones. */
const fastOffsetMax = 2_000;
/** Pages read from documents and columns after one that met an old document. */
const pagesAfterMiss = 100;
/** A list's statement is prepared from this use on. */
const preparedFromUse = 3;

/** What the database has answered. */
interface Found {
  readonly documents: readonly string[];
  readonly walk: Walk;
  /** The values of the order's keys: of the first and of the last record. */
  readonly ends: readonly (readonly (string | null)[])[];
  /** Whether more records follow in the direction of the walk; undefined where the total tells. */
  readonly hasMore: boolean | undefined;
  readonly total: Total;
}

export async function readPage(deps: RecordDeps, shape: RecordShape, list: List, members: readonly string[]): Promise<Found> {
  const { query, walk, sight, keys } = list;
  const estimate = estimateOf(shape, list);
  const withKeys = keys !== 'random' && (members.length > 0 || keys.some(({ member }) => member === undefined));
  const total = estimate === undefined ? query.total : 'none';
  // One more record than is shown tells whether there are more; where they are counted, the count tells.
  const limit = walk.position === undefined && total !== 'none' ? query.perPage : query.perPage + 1;
  const documents = members.length > 0 || sight === 'full' ? 'any' : 'stored';
  const form: PageForm = { sight, members, keys, withKeys, total, documents, condition: list.condition, regions: list.regions };
  const row = await readTrusting(deps, shape, list, { form, limit });
  const found = partsOf(row[1]);
  const shown = inOrder(list, found);
  const ends = withKeys ? inOrder(list, partsOf(row[5])).map((text) => JSON.parse(text) as (string | null)[]) : undefined;
  return {
    documents: shown,
    walk,
    ends: ends === undefined ? endsOf(shown, keys) : [ends[0] ?? [], ends.at(-1) ?? []],
    hasMore: limit > query.perPage ? found.length > query.perPage : undefined,
    total: seenTotal(list, shown, estimate === undefined ? await totalOf(deps, shape, list, row) : { items: estimate, isEstimate: true }),
  };
}

/** What is shown of what was read, in the order that was asked for. */
function inOrder({ query, walk }: List, found: readonly string[]): readonly string[] {
  const limited = found.slice(0, query.perPage);
  return walk.position?.direction === 'backward' ? limited.toReversed() : limited;
}

/** A page that is not full ends the list: it knows better than any estimate. */
function seenTotal({ query, walk }: List, shown: readonly string[], total: Total): Total {
  const isEnd = shown.length < query.perPage && (shown.length > 0 || query.page === 1);
  if (!total.isEstimate || walk.position !== undefined || !isEnd) return total;
  return { items: (query.page - 1) * query.perPage + shown.length, isEstimate: false };
}

function partsOf(text: string | null | undefined): readonly string[] {
  return text === null || text === undefined ? [] : text.split(separator);
}

/** The values by which the first and the last record stand in the order, as their documents show them. */
function endsOf(documents: readonly string[], keys: Order['keys']): Found['ends'] {
  if (keys === 'random') return [];
  return [documents[0], documents.at(-1)].map((document) => {
    if (document === undefined) return [];
    const values = JSON.parse(document) as Readonly<Record<string, string | number | boolean | null>>;
    return keys.map(({ member }) => {
      const value = values[member ?? ''] ?? null;
      return value === null ? null : String(value);
    });
  });
}

/**
 * Reads the page from stored documents alone, and again from documents and columns where one is not current: an expression
 * that could build a document costs Postgres 40 µs a page even when it is never taken. After a miss the next pages are read
 * the second way at once, because a change of schema makes many documents old.
 */
async function readTrusting(deps: RecordDeps, shape: RecordShape, list: List, { form, limit }: Reading): Promise<TextRow> {
  const misses = shape.compiled.get('list misses', () => ({ pagesLeft: 0 }));
  const isTrusting = form.documents === 'stored' && misses.pagesLeft === 0;
  if (!isTrusting) misses.pagesLeft = Math.max(0, misses.pagesLeft - 1);
  const row = await runPage(deps, shape, list, { limit, form: isTrusting ? form : { ...form, documents: 'any' } });
  if (row === undefined || row[0] !== shape.schema.version) throw new StaleCatalogue();
  if (!isTrusting || row[4] === '0') return row;
  misses.pagesLeft = pagesAfterMiss;
  return readTrusting(deps, shape, list, { form, limit });
}

async function runPage(deps: RecordDeps, shape: RecordShape, list: List, { form, limit }: Reading): Promise<TextRow | undefined> {
  const { query, walk } = list;
  const { sight, members, withKeys, total, documents } = form;
  const key = `list ${list.key} ${JSON.stringify([sight, members, withKeys, total, documents])}`;
  const compiled = shape.compiled.get(key, () => ({ statement: selectPage(shape, form), uses: 0 }));
  compiled.uses += 1;
  const offset = walk.position === undefined ? (query.page - 1) * query.perPage : 0;
  if (!Number.isSafeInteger(offset)) return refuseParameter('page', 'it is beyond any list');
  const values = [String(limit), String(offset), ...list.values];
  const isQuick = isFast(shape, list, form, offset);
  const rows = isQuick ? await quicklyIfFree(deps, preparedInTime(compiled), values) : await slowly(deps, compiled.statement, values);
  return rows[0];
}

interface Reading {
  readonly form: PageForm;
  /** Records to read. */
  readonly limit: number;
}

function preparedInTime(compiled: { readonly statement: Statement; readonly uses: number }): Statement {
  return compiled.uses < preparedFromUse ? { ...compiled.statement, name: '' } : compiled.statement;
}

/** Whether an index serves the order and little is skipped, so that the page costs about its own length. */
function isFast(shape: RecordShape, { narrowing, query }: List, { total, keys }: PageForm, offset: number): boolean {
  if (narrowing?.isIndexed === false || query.search !== '') return false;
  return total !== 'exact' && offset <= fastOffsetMax && keys !== 'random' && isServed(shape, keys);
}

/** Whether the order begins with what is (nearly) unique and indexed, or is all of it an index's, or its opposite. */
function isServed({ byName, collection }: RecordShape, keys: readonly OrderKey[]): boolean {
  const first = keys[0]?.member ?? '';
  if (first === 'created_at' || first === 'id') return true;
  const field = byName.get(first)?.field;
  if (field !== undefined && hasUniqueIndex(field)) return true;
  const wanted = keys.filter(({ member }) => member !== 'id');
  return collection.indexes.some(({ fields }) => {
    const turned = fields[0]?.descending !== wanted[0]?.isDescending;
    return wanted.every(
      ({ member, isDescending }, index) => fields[index]?.name === member && (fields[index]?.descending !== isDescending) === turned,
    );
  });
}
