import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { median } from '../../bench/measure/statistics.ts';
import { clusterProcesses, type Role } from '../../bench/cluster/processes.ts';
import { testDatabase } from '../support/database.ts';
import { slownessDuring } from '../support/figures.ts';
import { Ledger } from '../support/ledger.ts';
import { Load, type Hit } from '../support/load.ts';
import { Installation, type SupervisorRun } from '../support/supervisor.ts';
import { until } from '../support/until.ts';

const clients = 32;

describe('kill -9 under load', () => {
  it('loses no committed write and no half of a pair, and the service is back within 2 s', async () => {
    await using database = await testDatabase();
    await using installation = new Installation();
    const run = await installation.up({ DATABASE_URL: database.url, SVC_GATEWAYS: '1', SVC_LOG_LEVEL: 'warn' }).ready();
    const ledger = new Ledger('kept', clients);
    await ledger.open(run.client);

    await using load = new Load({
      baseUrl: `http://127.0.0.1:${run.port}`,
      adminKey: installation.adminKey,
      clients,
      next: ledger.next,
      onHit: ledger.onHit,
    });
    await answers(load, 500);
    const backMs: number[] = [];
    for (const role of ['store', 'gateway', 'store', 'gateway', 'worker', 'store'] as const) backMs.push(await killAndWait(run, role, load));
    const hits = await load.stop();

    assert.deepEqual(await ledger.audit(database.url), []);
    assert.deepEqual(unexpected(hits), []);
    assert.doesNotMatch(run.output, /a call failed|"level":"fatal"/);
    assert.ok(median(backMs) < 2_000 && Math.max(...backMs) < 5_000, `back after ${backMs.map(Math.round).join(', ')} ms`);
  });
});

/** Kills a child, and tells after how long a request that was sent since has been answered well, in the time of an idle machine. */
async function killAndWait(run: SupervisorRun, role: Role, load: Load): Promise<number> {
  const pid = clusterProcesses(run.pid).find((process) => process.role === role)?.pid ?? 0;
  const from = load.hits.length;
  const killedAt = performance.now();
  process.kill(pid, 'SIGKILL');
  const first = (): Hit | undefined => load.hits.slice(from).find((hit) => hit.startedAt > killedAt && hit.status >= 200 && hit.status < 300);
  const back = until(`an answer after the end of the ${role}`, () => first() !== undefined);
  const times = await slownessDuring(back);
  await back;
  const hit = first();
  await answers(load, 500);
  return hit === undefined ? Number.NaN : (hit.startedAt + hit.ms - killedAt) / times;
}

/** Waits for so many more good answers. */
async function answers(load: Load, count: number): Promise<void> {
  const from = load.hits.length;
  await until('the load is served', () => load.hits.slice(from).filter((hit) => hit.status >= 200 && hit.status < 300).length >= count);
}

/** All but success, 503 with its Retry-After, and broken connections. */
function unexpected(hits: readonly Hit[]): readonly string[] {
  return hits
    .filter(({ status, retryAfter }) => status >= 300 && !(status === 503 && retryAfter !== ''))
    .map(({ shot, status, text }) => `${shot.method} ${shot.path}: ${status} ${text}`);
}
