import { getScript } from '../data/ceiling.sql.ts';
import { ITEMS } from '../data/items.ts';
import { fillOwned, OWNED, readersRecords, UNOWNED } from '../data/owned.ts';
import { BenchFailure } from '../failure.ts';
import { pgbenchContender, serviceContender } from './contenders.ts';
import { WITHOUT_TOTALS } from './list.ts';
import { ask } from './same-answer.ts';
import type { Scenario, Stage } from './scenario.ts';

export const PAGE_1 = 'page 1';
export const PAGE_3000 = 'page 3,000';
export const NO_RULE = 'no rule';

const RANGES = 20;

/** A page of 30 of the thousand records that a filter on an indexed field matches. */
export const filtered: Scenario = {
  name: 'filtered',
  title: 'LIST 30 of those that a filter on an indexed field matches',
  async prepare(stage) {
    const targets = (rest: string): string[] =>
      Array.from(
        { length: RANGES },
        (_, n) => `/api/svc/${ITEMS}/records?filter=${encodeURIComponent(`rank >= ${n * 400} && rank < ${n * 400 + 100}`)}${rest}`,
      );
    return [
      await serviceContender(stage, { file: 'filtered', method: 'GET', targets: targets('') }),
      await serviceContender(stage, { name: WITHOUT_TOTALS, file: 'filtered-no-total', method: 'GET', targets: targets('&total=none') }),
    ];
  },
};

/** The first page and one far away, both by a walk from page to page. */
export const walk: Scenario = {
  name: 'walk',
  title: 'LIST 30 by cursor',
  async prepare(stage) {
    const list = `/api/svc/${ITEMS}/records?total=none`;
    return [
      await serviceContender(stage, { name: PAGE_1, file: 'walk-1', method: 'GET', targets: [list] }),
      await serviceContender(stage, {
        name: PAGE_3000,
        file: 'walk-3000',
        method: 'GET',
        targets: [`${list}&cursor=${await cursorOf(stage, list, 3_000)}`],
      }),
    ];
  },
};

/** A user's own records, and as many of a collection that is open. */
export const owned: Scenario = {
  name: 'owned',
  title: 'LIST 30 by a signed-in user',
  async prepare(stage) {
    const authorization = `Bearer ${await tokenOf(stage)}`;
    const list = (name: string): string[] => [`/api/svc/${name}/records?total=none`];
    return [
      await serviceContender(stage, { file: 'owned', method: 'GET', targets: list(OWNED), authorization }),
      await serviceContender(stage, { name: NO_RULE, file: 'unowned', method: 'GET', targets: list(UNOWNED), authorization }),
    ];
  },
};

/** One record by a signed-in user, with a rule that asks for its owner. */
export const ownedGet: Scenario = {
  name: 'owned-get',
  title: 'GET one record by a signed-in user, owner rule',
  async prepare(stage) {
    const authorization = `Bearer ${await tokenOf(stage)}`;
    return [
      await serviceContender(stage, { file: 'owned-get', method: 'GET', targets: readersRecords(OWNED), authorization }),
      await serviceContender(stage, { name: NO_RULE, file: 'unowned-get', method: 'GET', targets: readersRecords(UNOWNED), authorization }),
      await pgbenchContender(stage, 'owned-get', getScript(stage.rows)),
    ];
  },
};

/** Both scenarios read what is filled once. */
const tokens = new WeakMap<Stage, Promise<string>>();

function tokenOf(stage: Stage): Promise<string> {
  const known = tokens.get(stage) ?? fillOwned(stage.service);
  tokens.set(stage, known);
  return known;
}

async function cursorOf(stage: Stage, list: string, page: number): Promise<string> {
  let cursor = '';
  for (let walked = 0; walked < (page - 1) * 30;) {
    const perPage = Math.min(500, (page - 1) * 30 - walked);
    const { body } = await ask(stage, `${list}&perPage=${perPage}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    const { nextCursor } = body as { readonly nextCursor: string | null };
    if (nextCursor === null) throw new BenchFailure(`there are fewer than ${page} pages`);
    cursor = nextCursor;
    walked += perPage;
  }
  return cursor;
}
