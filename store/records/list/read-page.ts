import { hasUniqueIndex } from '../../collections/table/table-shape.ts';
import type { TextRow } from '../../postgres/connection.ts';
import { sqlState, sqlStates } from '../../postgres/errors.ts';
import type { Statement } from '../../postgres/sql.ts';
import { StaleCatalogue } from '../../postgres/stale-catalogue.ts';
import type { RecordDeps } from '../deps.ts';
import { refuseParameter } from '../parameters.ts';
import type { RecordShape } from '../shape/shape.ts';
import type { Walk } from './envelope.ts';
import type { Order } from './order.sql.ts';
import type { List } from './plan.ts';
import { selectPage, separator, type PageForm } from './page.sql.ts';
import { slowly } from './slowly.ts';
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
  readonly hasMore: boolean | undefined;
  readonly total: Total;
}

export async function readPage(deps: RecordDeps, shape: RecordShape, list: List, members: readonly string[]): Promise<Found> {
  const { query, walk, sight, keys } = list;
  const estimate = estimateOf(shape, list);
  const withKeys = keys !== 'random' && (members.length > 0 || keys.some(({ member }) => member === undefined));
  const form: PageForm = {
    sight,
    members,
    keys,
    withKeys,
    total: estimate === undefined ? query.total : 'none',
    documents: members.length > 0 || sight === 'full' ? 'any' : 'stored',
    condition: list.condition,
    regions: list.regions,
  };
  const row = await readTrusting(deps, shape, list, form);
  const total = estimate === undefined ? await totalOf(deps, shape, list, row) : { items: estimate, isEstimate: true };
  const found = partsOf(row[1]);
  const limited = walk.position === undefined ? found : found.slice(0, query.perPage);
  const documents = walk.position?.direction === 'backward' ? limited.toReversed() : limited;
  const keyRows = (withKeys ? partsOf(row[5]).slice(0, limited.length) : []).map((text) => JSON.parse(text) as (string | null)[]);
  const inOrder = walk.position?.direction === 'backward' ? keyRows.toReversed() : keyRows;
  const ends = withKeys ? [inOrder[0] ?? [], inOrder.at(-1) ?? []] : endsOf(documents, keys);
  return { documents, walk, ends, hasMore: walk.position === undefined ? undefined : found.length > query.perPage, total };
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
async function readTrusting(deps: RecordDeps, shape: RecordShape, list: List, form: PageForm): Promise<TextRow> {
  const misses = shape.compiled.get('list misses', () => ({ pagesLeft: 0 }));
  const isTrusting = form.documents === 'stored' && misses.pagesLeft === 0;
  if (!isTrusting) misses.pagesLeft = Math.max(0, misses.pagesLeft - 1);
  const row = await runPage(deps, shape, list, isTrusting ? form : { ...form, documents: 'any' });
  if (row === undefined || row[0] !== shape.schema.version) throw new StaleCatalogue();
  if (!isTrusting || row[4] === '0') return row;
  misses.pagesLeft = pagesAfterMiss;
  return readTrusting(deps, shape, list, form);
}

async function runPage(deps: RecordDeps, shape: RecordShape, list: List, form: PageForm): Promise<TextRow | undefined> {
  const { query, walk } = list;
  const { sight, members, withKeys, total, documents } = form;
  const key = `list ${list.key} ${JSON.stringify([sight, members, withKeys, total, documents])}`;
  const compiled = shape.compiled.get(key, () => ({ statement: selectPage(shape, form), uses: 0 }));
  compiled.uses += 1;
  const offset = walk.position === undefined ? (query.page - 1) * query.perPage : 0;
  if (!Number.isSafeInteger(offset)) return refuseParameter('page', 'it is beyond any list');
  const limit = walk.position === undefined ? query.perPage : query.perPage + 1;
  const values = [String(limit), String(offset), ...list.values];
  const patiently = async () => (await slowly(deps, compiled.statement, values))[0];
  if (!isFast(shape, list, form, offset)) return patiently();
  try {
    return (await deps.database.sharedQuery(preparedInTime(compiled), values))[0];
  } catch (error) {
    // Somebody has locked the table; waiting for it is done where it holds nobody up.
    if (sqlState(error) === sqlStates.lockNotAvailable) return patiently();
    throw error;
  }
}

function preparedInTime(compiled: { readonly statement: Statement; readonly uses: number }): Statement {
  return compiled.uses < preparedFromUse ? { ...compiled.statement, name: '' } : compiled.statement;
}

/** Whether an index serves the order and little is skipped, so that the page costs about its own length. */
function isFast(shape: RecordShape, { narrowing, query }: List, { total, keys, regions }: PageForm, offset: number): boolean {
  if (narrowing?.isIndexed === false || query.search !== '' || regions.length > 1) return false;
  if (total === 'exact' || offset > fastOffsetMax || keys === 'random') return false;
  const first = keys[0]?.member ?? '';
  if (first === 'created_at' || first === 'id') return true;
  const field = shape.byName.get(first)?.field;
  return (field !== undefined && hasUniqueIndex(field)) || shape.collection.indexes.some((index) => index.fields[0]?.name === first);
}
