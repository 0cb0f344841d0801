import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startCluster, type Cluster } from '../support/cluster.ts';
import { compare, figuresOf, mustHold, type Figures } from '../support/figures.ts';
import { gauge } from '../support/gauges.ts';
import { Hold } from '../support/hold.ts';
import { loadFor, statuses, type Shot } from '../support/load.ts';
import { until } from '../support/until.ts';
import { Volley } from '../support/volley.ts';

const stuckCalls = 1_000;
const pairs = 3;
const phaseMs = 300;
const items = '/api/svc/items/records';

describe('a thousand calls that are stuck', () => {
  let cluster: Cluster;
  let turn = 0;

  before(async () => {
    cluster = await startCluster({ environment: { SVC_LOG_LEVEL: 'warn' } });
    const client = cluster.client();
    await client.post('/api/svc', { name: 'items', type: 'base', fields: [{ name: 'n', type: 'number' }] });
    for (const id of ['read', 'held', 'free']) await client.post(items, { id, n: 0 });
    await reads();
  });

  after(() => cluster.close());

  const reads = async (): Promise<Figures> => {
    const { baseUrl, adminKey } = cluster;
    const hits = await loadFor(phaseMs, { baseUrl, adminKey, clients: 16, next: () => ({ method: 'GET', path: `${items}/read` }) });
    assert.deepEqual(Object.keys(statuses(hits)), ['200']);
    return figuresOf(
      hits.map(({ ms }) => ms),
      phaseMs,
    );
  };

  const inFlight = (): Promise<number> => gauge(cluster, 'gateway', 'svc_http_requests_in_flight');
  const underWay = async (): Promise<number> =>
    (await gauge(cluster, 'store', 'svc_store_lane_writes_outstanding')) + (await gauge(cluster, 'store', 'svc_store_lane_slow_outstanding'));

  /** Runs `work` beside a thousand calls that wait for something held. */
  const beside = async <Result>(stuck: Stuck, work: () => Promise<Result>): Promise<Result> => {
    await until('nothing is under way from before', async () => (await underWay()) === 0);
    const { hold, shot } = stuck((turn += 1));
    await using _ = await Hold.open(cluster.database.url, hold);
    await using volley = new Volley({ baseUrl: cluster.baseUrl, adminKey: cluster.adminKey, shots: Array.from({ length: stuckCalls }, () => shot) });
    await until('the calls have come in', async () => (await inFlight()) + volley.statuses.length >= stuckCalls);
    return await work();
  };

  const onKey: Stuck = (n) => ({
    hold: `insert into svc.idempotency (principal, method, path, key, body_hash) values ('admin', 'POST', '${items}', 'held${n}', '\\x00')`,
    shot: { method: 'POST', path: items, body: { n }, headers: { 'idempotency-key': `held${n}` } },
  });
  const onRecord: Stuck = (n) => ({
    hold: `select from data.items where id = 'held' for update`,
    shot: { method: 'PATCH', path: `${items}/held`, body: { n } },
  });

  for (const { on, stuck } of [
    { on: 'a key that somebody holds', stuck: onKey },
    { on: 'a record that somebody has locked', stuck: onRecord },
  ]) {
    it(`on ${on} leave reads their pace, and nothing behind`, async () => {
      await mustHold({ rate: 0.4, p99: 2 }, () => compare(pairs, reads, () => beside(stuck, reads)));

      await until('nothing is under way any more', async () => (await inFlight()) + (await underWay()) === 0);
    });

    it(`on ${on} keep no other write from being done`, async () => {
      const answers = await beside(stuck, async () => {
        const client = cluster.client();
        const taken = await client.post(items, { id: 'free' });
        const created = await client.post(items, { n: 2 });
        const changed = await client.patch(`${items}/free`, { n: performance.now() });
        const schema = await client.post('/api/svc', { name: `made${Math.round(performance.now())}`, type: 'base' });
        return [taken, created, changed, schema].map(({ status }) => status);
      });

      assert.deepEqual(answers, [409, 201, 200, 201]);
    });
  }
});

/** The n-th time that something is held, and the call that waits for it. */
type Stuck = (n: number) => { readonly hold: string; readonly shot: Shot };
