import { getScript, recordsByIds } from '../data/ceiling.sql.ts';
import { itemId, ITEMS } from '../data/items.ts';
import { pgbenchContender, serviceContender } from './contenders.ts';
import { ask, demandEqual, jsonLines } from './same-answer.ts';
import type { Scenario, Stage } from './scenario.ts';

const SAMPLES = 20;

/** One record by a random id. */
export const get: Scenario = {
  name: 'get',
  title: 'GET one record',
  async prepare(stage) {
    await demandSameRecords(stage);
    return [
      await serviceContender(stage, { file: 'get', method: 'GET', targets: everyRecord(stage.rows) }),
      await pgbenchContender(stage, 'get', getScript(stage.rows)),
    ];
  },
};

/** The path of every record. */
export function everyRecord(rows: number): string[] {
  return Array.from({ length: rows }, (_, n) => `/api/svc/${ITEMS}/records/${itemId(n)}`);
}

async function demandSameRecords(stage: Stage): Promise<void> {
  const ids = Array.from({ length: SAMPLES }, (_, n) => itemId(Math.floor((n * stage.rows) / SAMPLES)));
  const service = await Promise.all(ids.map(async (id) => (await ask(stage, `/api/svc/${ITEMS}/records/${id}`)).body));
  demandEqual('a record', service, await jsonLines(stage, recordsByIds(ids)));
}
