import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { median } from '../../bench/measure/statistics.ts';
import { startCluster } from '../support/cluster.ts';
import { prepareTemplate, testDatabase, type TestDatabase } from '../support/database.ts';
import { failures } from '../support/failures.ts';
import { slownessDuring } from '../support/figures.ts';
import { Ledger } from '../support/ledger.ts';
import { Load, type Hit } from '../support/load.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';

const clients = 32;

describe('Postgres stopped and started again under load', () => {
  it('is answered 503 with Retry-After meanwhile, ends no process, and is served in full within 2 s of its return', async () => {
    await using server = await PostgresServer.start();
    await prepareTemplate(server);
    await using database = await testDatabase(server);
    await keepCommits(database);
    await using cluster = await startCluster({ database, environment: { SVC_LOG_LEVEL: 'warn' } });
    const ledger = new Ledger('kept', clients);
    await ledger.open(cluster.client());
    const pids = cluster.pids;

    await using load = new Load({ baseUrl: cluster.baseUrl, adminKey: cluster.adminKey, clients, next: ledger.next, onHit: ledger.onHit });
    await served(load, load.hits.length);
    const backMs: number[] = [];
    for (const signal of ['SIGINT', 'SIGQUIT', 'SIGINT'] as const) backMs.push(await stopAndReturn(server, signal, load));
    const hits = await load.stop();
    const change = await cluster.client().patch('/api/svc/kept', { indexes: [{ fields: ['n'] }] });

    assert.deepEqual(failures(cluster), []);
    assert.deepEqual(hits.filter(isUnexpected).map(spoken), []);
    assert.deepEqual(await ledger.audit(database.url), []);
    assert.deepEqual(cluster.pids, pids);
    assert.equal(change.status, 200);
    assert.ok(median(backMs) < 2_000 && Math.max(...backMs) < 5_000, `in full after ${backMs.map(Math.round).join(', ')} ms`);
  });
});

describe('connections to Postgres that are cut under load', () => {
  it('cost what was under way on them, are made again, and leave none over', async () => {
    await using cluster = await startCluster({ environment: { SVC_LOG_LEVEL: 'warn' } });
    const { database } = cluster;
    const ledger = new Ledger('kept', clients);
    await ledger.open(cluster.client());
    const pids = cluster.pids;

    await using load = new Load({ baseUrl: cluster.baseUrl, adminKey: cluster.adminKey, clients, next: ledger.next, onHit: ledger.onHit });
    await served(load, load.hits.length);
    const cut: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const [row] = await asked<{ count: number }>(database, `select count(pg_terminate_backend(pid))::int from pg_stat_activity where ${ofStores}`);
      cut.push(row?.count ?? 0);
      await served(load, load.hits.length);
    }
    const hits = await load.stop();
    const [left] = await asked<{ count: number }>(database, `select count(*)::int from pg_stat_activity where ${ofStores}`);

    assert.deepEqual(failures(cluster), []);
    assert.deepEqual(hits.filter(isUnexpected).map(spoken), []);
    assert.deepEqual(await ledger.audit(database.url), []);
    assert.deepEqual(cluster.pids, pids);
    assert.ok(Math.min(...cut) >= 6, `${cut.join(', ')} connections were cut`);
    assert.ok((left?.count ?? 0) <= connectionsMax, `${left?.count} connections are open`);
  });
});

/** Two each for reads, writes and others; at most eight for transactions, eight for patient ones and four for slow lists. */
const connectionsMax = 26;
const ofStores = `datname = current_database() and application_name = 'svc store'`;

/** The test server may forget what it committed last; here its word counts. */
async function keepCommits(database: TestDatabase): Promise<void> {
  await asked(database, `alter database ${database.name} set synchronous_commit = on`);
}

async function asked<Row extends object>({ superuserUrl }: TestDatabase, question: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    return (await client.query<Row>(question)).rows;
  } finally {
    await client.end();
  }
}

/** Stops the server, starts it when the load has felt it, and tells how long after its return all kinds of requests are served. */
async function stopAndReturn(server: PostgresServer, signal: 'SIGINT' | 'SIGQUIT', load: Load): Promise<number> {
  const from = load.hits.length;
  await server.stop(signal);
  await until('the load is refused', () => load.hits.slice(from).filter(({ status }) => status === 503).length > 200);
  await server.restart();
  const upAt = performance.now();
  const back = served(load, load.hits.length);
  const times = await slownessDuring(back);
  return ((await back) - upAt) / times;
}

/** Waits until, from hit `from` on, each kind of request has been served often and every client has been served; tells since when. */
async function served(load: Load, from: number): Promise<number> {
  const good = (): readonly Hit[] => load.hits.slice(from).filter(({ status }) => status >= 200 && status < 300);
  const firsts = (): readonly Hit[] => kinds.flatMap((kind) => good().find((hit) => kindOf(hit) === kind) ?? []);
  await until(
    'each kind of request is served',
    () => firsts().length === kinds.length && new Set(good().map(({ client }) => client)).size === clients,
  );
  return Math.max(...firsts().map(({ startedAt, ms }) => startedAt + ms));
}

const kinds = ['GET', 'POST', 'PATCH', 'DELETE', 'POST with a key'] as const;

function kindOf({ shot }: Hit): string {
  return shot.headers === undefined ? shot.method : `${shot.method} with a key`;
}

function isUnexpected({ status, retryAfter }: Hit): boolean {
  const isRefused = status === 503 && retryAfter !== '';
  return (status < 200 || status >= 300) && !isRefused;
}

function spoken({ shot, status, text }: Hit): string {
  return `${shot.method} ${shot.path}: ${status} ${text}`;
}
