import { CREATED_AND_LOGGED, CREATE_SCRIPT } from '../data/ceiling.sql.ts';
import { ENTRIES, itemBody } from '../data/items.ts';
import { BenchFailure } from '../failure.ts';
import { psql } from '../load/psql.ts';
import { pgbenchContender, serviceContender } from './contenders.ts';
import type { Scenario } from './scenario.ts';

const BODIES = 1000;

/** One record and its event. */
export const create: Scenario = {
  name: 'create',
  title: 'POST one record with its event',
  async prepare(stage) {
    return [
      await serviceContender(stage, {
        file: 'create',
        method: 'POST',
        targets: [`/api/svc/${ENTRIES}/records`],
        bodies: Array.from({ length: BODIES }, (_, n) => JSON.stringify(itemBody(n))),
      }),
      await pgbenchContender(stage, 'create', CREATE_SCRIPT),
    ];
  },
  async verify(stage) {
    const [created, logged] = await psql(stage.postgres, CREATED_AND_LOGGED);
    if (created === undefined || created === '0' || created !== logged) {
      throw new BenchFailure(`not reported: ${created ?? 'no'} records were created, ${logged ?? 'none'} of them with exactly one event`);
    }
  },
};
