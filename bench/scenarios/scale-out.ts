import type { LoadResult } from '../load/load-result.ts';
import { wrk, wrkCommand } from '../load/wrk.ts';
import type { Contender } from '../measure/interleave.ts';
import { everyRecord } from './get.ts';
import { serviceContender } from './contenders.ts';
import type { Scenario } from './scenario.ts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const ONE_GATEWAY = 'one gateway';
export const TWO_GATEWAYS = 'two gateways';

const MANY_CONNECTIONS = 256;

/** The same load on one gateway, and halved over two, before the same store. */
export const scaleOut: Scenario = {
  name: 'scale-out',
  title: `GET one record, ${MANY_CONNECTIONS} connections, two gateways against one`,
  async prepare(stage) {
    const second = await stage.service.startSecondGateway();
    const targets = join(stage.service.folder, 'scale-out.targets');
    await writeFile(targets, `${everyRecord(stage.rows).join('\n')}\n`);
    return [
      await serviceContender(stage, {
        name: ONE_GATEWAY,
        file: 'scale-out-one',
        method: 'GET',
        targets: everyRecord(stage.rows),
        connections: MANY_CONNECTIONS,
      }),
      twoGateways([stage.service.baseUrl, second], targets),
    ];
  },
  async tidy(stage) {
    await stage.service.stopSecondGateway();
  },
};

function twoGateways(baseUrls: readonly string[], targets: string): Contender {
  const load = { method: 'GET', targets, connections: MANY_CONNECTIONS / baseUrls.length } as const;
  return {
    name: TWO_GATEWAYS,
    command: `${wrkCommand({ ...load, baseUrl: '', seconds: 4 })}   # one on each gateway at the same time`,
    run: async (seconds) => sum(await Promise.all(baseUrls.map((baseUrl) => wrk({ ...load, baseUrl, seconds })))),
  };
}

function sum(results: readonly LoadResult[]): LoadResult {
  return {
    operations: results.reduce((total, result) => total + result.operations, 0),
    rate: results.reduce((total, result) => total + result.rate, 0),
    driverCpuUs: results.reduce((total, result) => total + result.driverCpuUs, 0),
  };
}
