import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { startCluster, type Cluster } from '../support/cluster.ts';
import { failures } from '../support/failures.ts';
import type { HttpAnswer, HttpClient } from '../support/http.ts';
import { Load, type Hit, type Shot } from '../support/load.ts';

const openRules = { listRule: '', viewRule: '', createRule: '', updateRule: '', deleteRule: '' };
const rounds = 8;

describe('changes of schema that race', () => {
  let cluster: Cluster;
  let clients: readonly [HttpClient, HttpClient];

  before(async () => {
    cluster = await startCluster({ stores: 2, gateways: 2, environment: { SVC_LOG_LEVEL: 'warn' } });
    clients = [cluster.client(0), cluster.client(1)];
  });

  after(() => cluster.close());

  const create = (name: string, fields: readonly object[] = [{ name: 'title', type: 'text' }]): Promise<HttpAnswer> =>
    clients[0].post('/api/svc', { name, type: 'base', fields, rules: openRules });

  it('on one collection end as if one had come after the other', async () => {
    const ends = new Set<string>();
    for (let round = 0; round < rounds; round += 1) {
      const name = `both${round}`;
      const [kept] = (await create(name)).json<{ fields: readonly object[] }>().fields;

      const answers = await Promise.all(
        clients.map((client, node) =>
          client.patch(`/api/svc/${name}`, { fields: [kept, { name: `of${node}`, type: 'number' }], indexes: [{ fields: [`of${node}`] }] }),
        ),
      );
      const [seen, other] = await Promise.all(clients.map((client) => client.get(`/api/svc/${name}`)));

      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200],
      );
      assert.deepEqual(seen?.json(), other?.json());
      assert.deepEqual(await columns(cluster, name), fieldNames(seen));
      ends.add(fieldNames(seen).join());
    }
    assert.ok(
      [...ends].every((end) => end === 'title,of0' || end === 'title,of1'),
      [...ends].join(' | '),
    );
  });

  it('by merging keep what each has changed alone', async () => {
    await create('merged');

    const answers = await Promise.all([
      clients[0].patch('/api/svc/merged', { rules: { ...openRules, viewRule: null } }),
      clients[1].patch('/api/svc/merged', { indexes: [{ fields: ['title'] }] }),
      clients[0].patch('/api/svc/merged', { name: 'merged_anew' }),
    ]);
    const renamed = await clients[1].patch('/api/svc/merged_anew', {});

    assert.deepEqual(
      answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 404),
      [],
    );
    assert.equal(renamed.status, 200);
  });

  it('for one name have one winner, and the others are told', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, n) =>
          clients[n % 2 === 0 ? 0 : 1].post('/api/svc', { name: `only${round}`, type: 'base', fields: [{ name: `f${n}`, type: 'text' }] }),
        ),
      );

      assert.deepEqual(
        answers.map(({ status }) => status).toSorted((a, b) => a - b),
        [201, 409, 409, 409, 409, 409],
      );
    }
  });

  it('with writes (truncate, delete, create, rename) give documented answers alone, and leave table and metadata at one', async () => {
    await create('raced');
    await using load = new Load({ baseUrl: cluster.baseUrls[0] ?? '', clients: 8, next: write });
    await using rivals = new Load({ baseUrl: cluster.baseUrls[1] ?? '', adminKey: cluster.adminKey, clients: 3, next: change });

    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const hits = [...(await load.stop()), ...(await rivals.stop())];

    assert.deepEqual(failures(cluster), []);
    assert.deepEqual([...new Set(hits.filter(isUndocumented).map(spoken))], []);
    assert.ok(hits.filter(({ shot, status }) => shot.path === '/api/svc' && status === 201).length > 3, 'collections were made');
    assert.ok(hits.filter(({ shot, status }) => shot.path === '/api/svc/raced/records' && status === 201).length > 10, 'records were written');
    assert.deepEqual(await orphans(cluster), []);
  });
});

function fieldNames(answer: HttpAnswer | undefined): readonly string[] {
  return answer?.json<{ fields: readonly { readonly name: string }[] }>().fields.map(({ name }) => name) ?? [];
}

function write(client: number, turn: number): Shot {
  const path = '/api/svc/raced/records';
  const shots: readonly Shot[] = [
    { method: 'POST', path, body: { id: `own${client}`, title: 'kept' } },
    { method: 'PATCH', path: `${path}/own${client}`, body: { title: `turn ${turn}` } },
    { method: 'POST', path, body: { title: 'more' } },
    { method: 'DELETE', path: `${path}/own${client}` },
    { method: 'GET', path },
  ];
  return shots[turn % shots.length] ?? { method: 'GET', path };
}

function change(client: number, turn: number): Shot {
  const collection = { name: 'raced', type: 'base', fields: [{ name: 'title', type: 'text' }], rules: openRules };
  const shots: readonly Shot[] = [
    { method: 'POST', path: '/api/svc', body: collection },
    { method: 'PATCH', path: '/api/svc/raced', body: { fields: [...collection.fields, { name: `f${turn}`, type: 'number', unique: true }] } },
    { method: 'POST', path: '/api/svc/raced/truncate' },
    { method: 'PATCH', path: '/api/svc/raced', body: { name: `aside${client}` } },
    { method: 'DELETE', path: `/api/svc/aside${client}` },
    { method: 'POST', path: '/api/svc', body: collection },
    { method: 'DELETE', path: '/api/svc/raced' },
  ];
  return shots[turn % shots.length] ?? { method: 'GET', path: '/api/svc' };
}

const documented = new Set([200, 201, 204, 400, 401, 404, 409, 503]);

function isUndocumented({ status }: Hit): boolean {
  return !documented.has(status);
}

function spoken({ shot, status, text }: Hit): string {
  return `${shot.method} ${shot.path}: ${status} ${text}`;
}

async function columns(cluster: Cluster, table: string): Promise<readonly string[]> {
  const found = await asked<{ name: string }>(
    cluster,
    `select column_name as name from information_schema.columns where table_schema = 'data' and table_name = '${table}' order by ordinal_position`,
  );
  return found.map(({ name }) => name).filter((name) => !/^(id|created_at|updated_at|_.*)$/.test(name));
}

/** Tables that no collection has, collections without a table, and records whose last change the log does not hold. */
function orphans(cluster: Cluster): Promise<readonly object[]> {
  return asked(
    cluster,
    `select tables.table_name, collection.name
     from (select table_name from information_schema.tables where table_schema = 'data' and table_name not like '\\_mn\\_%') tables
     full join svc.collections collection on collection.name = tables.table_name
     where tables.table_name is null or collection.name is null`,
  );
}

async function asked<Row extends object>(cluster: Cluster, question: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: cluster.database.url });
  await client.connect();
  try {
    return (await client.query<Row>(question)).rows;
  } finally {
    await client.end();
  }
}
