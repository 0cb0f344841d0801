import type { BlockList } from 'node:net';
import type { BodyBudget } from './body-budget.ts';
import type { Cors } from './cors.ts';
import type { RequestIds } from './request-ids.ts';
import type { HeadReader } from './request-head.ts';

/** What an exchange asks of the server it belongs to. */
export interface ExchangeOwner {
  readonly heads: HeadReader;
  readonly requestIds: RequestIds;
  readonly cors: Cors;
  readonly trustedProxies: BlockList;
  readonly bodyBudget: BodyBudget;
  readonly bodyBytesMax: number;
  /** How long one body may take to arrive. */
  readonly bodyTimeMs: number;
  /** While the server drains, connections end with their next answer. */
  readonly isDraining: boolean;
  /** An exchange has begun. */
  opened(): void;
  /** An exchange has ended, whichever way. */
  closed(): void;
}
