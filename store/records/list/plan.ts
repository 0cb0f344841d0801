import type { Sql } from '../../postgres/sql.ts';
import type { Narrowing } from '../rules/narrowing.ts';
import type { Sight } from '../shape/document.ts';
import type { Walk } from './envelope.ts';
import type { ListQuery } from './list-query.ts';
import type { Order } from './order.sql.ts';

/** Everything about a list but how its documents are shown. */
export interface List {
  readonly query: ListQuery;
  /** The keys by which the page is read: those of the order, or their opposites. */
  readonly keys: Order['keys'];
  readonly walk: Walk;
  readonly narrowing: Narrowing | undefined;
  readonly condition: Sql | undefined;
  readonly regions: readonly Sql[];
  /** Tells texts of statements apart. */
  readonly key: string;
  readonly values: readonly (string | null)[];
  readonly sight: Sight;
}
