import { withSchema } from '../../collections/with-schema.ts';
import { hasWords } from '../../collections/search/search-indexes.ts';
import { bindParameters } from '../../rules/index.ts';
import { sightOf } from '../access.ts';
import type { RecordAnswer, RecordDeps, RecordRequest } from '../deps.ts';
import { Presentation } from '../presentation/presentation.ts';
import type { Viewer } from '../presentation/related.ts';
import { judgeOf } from '../rules/judge.ts';
import { narrowingOf, readerOf } from '../rules/narrowing.ts';
import { RuleRequest } from '../rules/rule-request.ts';
import type { RecordShape } from '../shape/shape.ts';
import { StaleCatalogue } from '../../postgres/stale-catalogue.ts';
import { refuseParameter } from '../parameters.ts';
import { slowly } from '../slowly.ts';
import type { Anchor, Position } from './cursors.ts';
import { pageText, type Walk } from './envelope.ts';
import { nullPattern, regionsBehind } from './keyset.sql.ts';
import { readListQuery, type ListQuery } from './list-query.ts';
import { orderOf, type Order, type OrderKey } from './order.sql.ts';
import type { List } from './plan.ts';
import { conditionOf, selectKeys } from './page.sql.ts';
import { readPage } from './read-page.ts';

/** Limit and offset come first. */
const firstParameter = 3;

/** Answers one page of a collection's records. */
export async function listRecords(deps: RecordDeps, input: RecordRequest): Promise<RecordAnswer> {
  const query = readListQuery(input.query);
  return withSchema(deps.catalogue, async (schema) => {
    const shape = deps.shapes.named(schema, input.collection);
    const request = { method: 'GET', query: input.query, headers: input.headers } as const;
    const viewer = { principal: input.principal, request };
    const list = await planList(deps, shape, query, viewer);
    const presentation = new Presentation(deps, shape, viewer);
    const found = await readPage(deps, shape, list, presentation.members);
    const documents = await presentation.show(found.documents);
    return { status: 200, body: pageText(query, { ...found, documents }), etag: '' };
  });
}

async function planList(deps: RecordDeps, shape: RecordShape, query: ListQuery, viewer: Viewer): Promise<List> {
  const { principal, request } = viewer;
  const judge = judgeOf(deps, shape, { rule: 'listRule', principal, request });
  const narrowing = narrowingOf(deps, shape, { principal, judges: [judge], filter: query.filter, request, firstParameter });
  const narrowed = narrowing?.values ?? [];
  const search = query.search === '' ? [] : [query.search];
  if (search.length > 0) deps.searchIndexes.want(shape.collection);
  const searched = search.length === 0 ? undefined : hasWords(shape.collection, firstParameter + narrowed.length);
  const reader = { principal, key: readerOf(principal), firstParameter: firstParameter + narrowed.length + search.length };
  const order = orderOf(shape, query.sort, reader);
  const bound = bindParameters(order.parameters, new RuleRequest(principal, request), new Date(deps.clock.now()));
  const walk = walkOf(deps, shape, query, order);
  const position = walk.anchor === undefined ? walk.position : await positionOf(deps, shape, query, { viewer, anchor: walk.anchor });
  const keys = position?.direction === 'backward' ? reversed(order.keys) : order.keys;
  const at = position?.values ?? [];
  const regions = keys === 'random' || position === undefined ? [] : regionsBehind(keys, at, reader.firstParameter + bound.length);
  return {
    query,
    keys,
    walk: { position, write: walk.write },
    narrowing,
    condition: conditionOf([narrowing?.condition, searched]),
    regions,
    key: JSON.stringify([narrowing?.key, searched !== undefined, reader.firstParameter, order.key, position?.direction, nullPattern(at)]),
    values: [...narrowed, ...search, ...bound, ...at.filter((value) => value !== null)],
    sight: sightOf(shape, principal),
  };
}

/** Where the page begins, and what its cursors are bound to: a cursor is good for this list and no other. */
function walkOf({ cursors }: RecordDeps, shape: RecordShape, query: ListQuery, { keys }: Order): Walk & { readonly anchor: Anchor | undefined } {
  const { collection, schema } = shape;
  // A path leads into other collections, whose definitions may change as well.
  const version = keys !== 'random' && keys.every(({ member }) => member !== undefined) ? collection.docVersion : schema.version;
  const list = JSON.stringify([collection.id, version, query.sort, query.filter, query.search]);
  const place = query.cursor === '' ? undefined : cursors.read(list, query.cursor);
  const isAnchor = place !== undefined && 'id' in place;
  return {
    position: isAnchor ? undefined : place,
    anchor: isAnchor ? place : undefined,
    write: (position) => {
      if (keys === 'random') return null;
      const idAt = keys.findIndex(({ member }) => member === 'id');
      return cursors.write(list, position, position.values[idAt] ?? '');
    },
  };
}

/** The position of a record whose values were too long for a cursor, by what they are now. */
async function positionOf(
  deps: RecordDeps,
  shape: RecordShape,
  query: ListQuery,
  input: { readonly viewer: Viewer; readonly anchor: Anchor },
): Promise<Position> {
  const { principal, request } = input.viewer;
  const order = orderOf(shape, query.sort, { principal, key: readerOf(principal), firstParameter: 3 });
  if (order.keys === 'random') return refuseParameter('cursor', 'a random order cannot be walked');
  const bound = bindParameters(order.parameters, new RuleRequest(principal, request), new Date(deps.clock.now()));
  const [row] = await slowly(deps, selectKeys(shape, order.keys), [shape.schema.version, input.anchor.id, ...bound]);
  if (row?.[0] !== shape.schema.version) throw new StaleCatalogue();
  if (row[1] === null || row[1] === undefined) return refuseParameter('cursor', 'the record at which it stands is gone; begin again');
  return { direction: input.anchor.direction, values: JSON.parse(row[1]) as (string | null)[] };
}

function reversed(keys: Order['keys']): Order['keys'] {
  return keys === 'random' ? keys : keys.map((key): OrderKey => ({ ...key, isDescending: !key.isDescending }));
}
