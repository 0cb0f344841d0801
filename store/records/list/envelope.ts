import type { Position } from './cursors.ts';
import type { ListQuery } from './list-query.ts';

/** A list as a way through the collection: where this page begins, and how its neighbours are named. */
export interface Walk {
  /** Undefined: the page has a number. */
  readonly position: Position | undefined;
  /** The cursor of a place; null where there can be none. */
  readonly write: (place: Position) => string | null;
}

/** A page, ready to be told. */
export interface Page {
  /** The records as they are shown, in order. */
  readonly documents: readonly string[];
  readonly walk: Walk;
  /** The values of the order's keys: of the first and of the last record. */
  readonly ends: readonly (readonly (string | null)[])[];
  /** Whether more records follow in the direction of the walk; undefined where the total tells. */
  readonly hasMore: boolean | undefined;
  readonly total: { readonly items: number; readonly isEstimate: boolean };
}

/** The JSON text of a page (CONTRACT section 3, list envelope). */
export function pageText(query: ListQuery, page: Page): string {
  const { documents, total } = page;
  const pages = total.items < 0 ? -1 : Math.ceil(total.items / query.perPage);
  const number = page.walk.position === undefined ? String(query.page) : 'null';
  const { next, previous } = neighbours(query, page);
  const head = `{"page":${number},"perPage":${query.perPage},"totalItems":${total.items},"totalPages":${pages}`;
  return `${head}${total.isEstimate ? ',"totalIsEstimate":true' : ''},"items":[${documents.join(',')}],"nextCursor":${next},"prevCursor":${previous}}`;
}

function neighbours(query: ListQuery, page: Page): { readonly next: string; readonly previous: string } {
  const { documents, walk, ends } = page;
  if (documents.length === 0) return { next: 'null', previous: 'null' };
  const place = (direction: Position['direction'], values: Position['values'] | undefined, isThere: boolean): string =>
    isThere && values !== undefined && values.length > 0 ? JSON.stringify(walk.write({ direction, values })) : 'null';
  const { isNext, isPrevious } = around(query, page);
  return { next: place('forward', ends[1], isNext), previous: place('backward', ends[0], isPrevious) };
}

/** On a walk the record that it came from lies behind it; a page with a number knows by what was read beyond it, or by what was counted. */
function around(query: ListQuery, { documents, walk, hasMore, total }: Page): { readonly isNext: boolean; readonly isPrevious: boolean } {
  if (walk.position !== undefined) {
    const isForward = walk.position.direction === 'forward';
    return { isNext: isForward ? hasMore === true : true, isPrevious: isForward ? true : hasMore === true };
  }
  const before = (query.page - 1) * query.perPage;
  // An estimate may be too low: a full page may then be followed by an empty one, and no record is left out.
  const isNext = hasMore ?? (total.isEstimate ? documents.length >= query.perPage : before + documents.length < total.items);
  return { isNext, isPrevious: before > 0 };
}
