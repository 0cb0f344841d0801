import type { Sql } from '../../postgres/sql.ts';
import type { TextRow } from '../../postgres/connection.ts';
import type { RecordDeps } from '../deps.ts';
import type { RecordShape } from '../shape/shape.ts';
import { Estimates } from './estimates.ts';
import { countedMax, explainMatches } from './page.sql.ts';
import type { List } from './plan.ts';
import { slowly } from '../slowly.ts';

/** How many records a list has. */
export interface Total {
  readonly items: number;
  readonly isEstimate: boolean;
}

/** What was lately found to be more than is counted, and so need not be counted again; undefined: it has to be. */
export function estimateOf(shape: RecordShape, list: List): number | undefined {
  return list.query.total === 'bounded' ? estimatesOf(shape).get(estimateKey(list)) : undefined;
}

/** What was counted, or, beyond what is counted, what the planner thinks; that is kept for a while, so that it is not counted again. */
export async function totalOf(deps: RecordDeps, shape: RecordShape, list: List, row: TextRow): Promise<Total> {
  const counted = row[2] === null ? Infinity : Number(row[2]);
  if (list.query.total !== 'bounded' || counted <= countedMax) return { items: counted, isEstimate: false };
  if (list.condition === undefined) return { items: Math.max(countedMax + 1, Number(row[3])), isEstimate: true };
  const items = Math.max(countedMax + 1, await planned(deps, shape, list, list.condition));
  estimatesOf(shape).keep(estimateKey(list), items);
  return { items, isEstimate: true };
}

async function planned(deps: RecordDeps, shape: RecordShape, { narrowing, query, values }: List, condition: Sql): Promise<number> {
  const count = (narrowing?.values.length ?? 0) + (query.search === '' ? 0 : 1);
  const rows = await slowly(deps, explainMatches(shape, condition), ['0', '0', ...values.slice(0, count)]);
  const [plan] = JSON.parse(rows[0]?.[0] ?? '[]') as readonly { readonly Plan?: { readonly 'Plan Rows'?: number } }[];
  return plan?.Plan?.['Plan Rows'] ?? 0;
}

function estimatesOf(shape: RecordShape): Estimates {
  return shape.compiled.get('estimates', () => new Estimates());
}

function estimateKey({ narrowing, query }: List): string {
  return JSON.stringify([narrowing?.key, narrowing?.values, query.search]);
}
