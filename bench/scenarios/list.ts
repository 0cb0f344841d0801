import { listScript, pageOfIds } from '../data/ceiling.sql.ts';
import { ITEMS } from '../data/items.ts';
import { psql } from '../load/psql.ts';
import { pgbenchContender, serviceContender } from './contenders.ts';
import { ask, demandEqual } from './same-answer.ts';
import { SERVICE, type Scenario, type ScenarioName, type Stage } from './scenario.ts';

export const WITHOUT_TOTALS = `${SERVICE}, total=none`;

// People read near the front: the first ten pages, in equal parts.
const PAGES = 10;

interface Order {
  readonly name: ScenarioName;
  readonly title: string;
  /** The service's query for this order; empty for its default. */
  readonly query: string;
  readonly sql: string;
}

/** A page of 30, newest first, as a client that names no order gets it. */
export const list = listScenario({ name: 'list', title: 'LIST 30, newest first', query: '', sql: 'created_at desc, id desc' });

/** A page of 30 in the order of an indexed field. */
export const listSorted = listScenario({ name: 'list-sorted', title: 'LIST 30, by an indexed field', query: 'sort=rank', sql: 'rank, id' });

function listScenario(order: Order): Scenario {
  return {
    name: order.name,
    title: order.title,
    async prepare(stage) {
      await demandSamePages(stage, order);
      return [
        await serviceContender(stage, { file: order.name, method: 'GET', targets: pages(order.query) }),
        await pgbenchContender(stage, order.name, listScript(order.sql, PAGES)),
        await serviceContender(stage, {
          name: WITHOUT_TOTALS,
          file: `${order.name}-no-total`,
          method: 'GET',
          targets: pages(order.query, 'total=none'),
        }),
      ];
    },
  };
}

function pages(...query: readonly string[]): string[] {
  return Array.from({ length: PAGES }, (_, n) => `/api/svc/${ITEMS}/records?${[`page=${n + 1}`, ...query].filter((part) => part !== '').join('&')}`);
}

async function demandSamePages(stage: Stage, order: Order): Promise<void> {
  const targets = pages(order.query);
  for (const page of [1, PAGES]) {
    const { body } = await ask(stage, targets[page - 1] ?? '');
    const items = (body as { items?: { id: string }[] }).items ?? [];
    demandEqual(
      `page ${page}`,
      items.map((item) => item.id),
      await psql(stage.postgres, pageOfIds(order.sql, page)),
    );
  }
}
