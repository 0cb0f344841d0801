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
import { pageText, type Walk } from './envelope.ts';
import { nullPattern, regionsBehind } from './keyset.sql.ts';
import { readListQuery, type ListQuery } from './list-query.ts';
import { orderOf, type Order, type OrderKey } from './order.sql.ts';
import type { List } from './plan.ts';
import { conditionOf } from './page.sql.ts';
import { readPage } from './read-page.ts';

/** Limit and offset come first. */
const firstParameter = 3;

/** Answers one page of a collection's records. */
export async function listRecords(deps: RecordDeps, input: RecordRequest): Promise<RecordAnswer> {
  const query = readListQuery(input.query);
  return withSchema(deps.catalogue, async (schema) => {
    const shape = deps.shapes.named(schema, input.collection);
    const request = { method: 'GET', query: input.query } as const;
    const viewer = { principal: input.principal, request };
    const list = planList(deps, shape, query, viewer);
    const presentation = new Presentation(deps, shape, viewer);
    const found = await readPage(deps, shape, list, presentation.members);
    const documents = await presentation.show(found.documents);
    return { status: 200, body: pageText(query, { ...found, documents }), etag: '' };
  });
}

function planList(deps: RecordDeps, shape: RecordShape, query: ListQuery, { principal, request }: Viewer): List {
  const judge = judgeOf(deps, shape, { rule: 'listRule', principal, request });
  const narrowing = narrowingOf(deps, shape, { principal, judge, filter: query.filter, request, firstParameter });
  const narrowed = narrowing?.values ?? [];
  const search = query.search === '' ? [] : [query.search];
  if (search.length > 0) deps.searchIndexes.want(shape.collection);
  const searched = search.length === 0 ? undefined : hasWords(shape.collection, firstParameter + narrowed.length);
  const reader = { principal, key: readerOf(principal), firstParameter: firstParameter + narrowed.length + search.length };
  const order = orderOf(shape, query.sort, reader);
  const bound = bindParameters(order.parameters, new RuleRequest(principal, request), new Date(deps.clock.now()));
  const walk = walkOf(deps, shape, query, order);
  const keys = walk.position?.direction === 'backward' ? reversed(order.keys) : order.keys;
  const position = walk.position?.values ?? [];
  const regions = keys === 'random' || walk.position === undefined ? [] : regionsBehind(keys, position, reader.firstParameter + bound.length);
  return {
    query,
    keys,
    walk,
    narrowing,
    condition: conditionOf([narrowing?.condition, searched]),
    regions,
    key: JSON.stringify([narrowing?.key, searched !== undefined, reader.firstParameter, order.key, walk.position?.direction, nullPattern(position)]),
    values: [...narrowed, ...search, ...bound, ...position.filter((value) => value !== null)],
    sight: sightOf(shape, principal),
  };
}

/** Where the page begins, and what its cursors are bound to: a cursor is good for this list and no other. */
function walkOf({ cursors }: RecordDeps, shape: RecordShape, query: ListQuery, order: Order): Walk {
  const { collection, schema } = shape;
  // A path leads into other collections, whose definitions may change as well.
  const version = order.keys !== 'random' && order.keys.every(({ member }) => member !== undefined) ? collection.docVersion : schema.version;
  const list = JSON.stringify([collection.id, version, query.sort, query.filter, query.search]);
  const position = query.cursor === '' ? undefined : cursors.read(list, query.cursor);
  return { position, write: (place) => (order.keys === 'random' ? null : cursors.write(list, place)) };
}

function reversed(keys: Order['keys']): Order['keys'] {
  return keys === 'random' ? keys : keys.map((key): OrderKey => ({ ...key, isDescending: !key.isDescending }));
}
