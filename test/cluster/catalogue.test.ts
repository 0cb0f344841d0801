import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startCluster, type Cluster } from '../support/cluster.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { failures } from '../support/failures.ts';
import type { HttpAnswer, HttpClient } from '../support/http.ts';
import { Load, type Hit, type Shot } from '../support/load.ts';

const rounds = 3;
const openRules = { listRule: '', viewRule: '', createRule: '', updateRule: '', deleteRule: '' };
const title = { name: 'title', type: 'text' };

/** Two gateways, each with a store of its own, on one database: what one store answers, the other has not been told. */
class TwoNodes implements AsyncDisposable {
  readonly #database: TestDatabase;
  readonly clusters: readonly [Cluster, Cluster];

  private constructor(database: TestDatabase, clusters: readonly [Cluster, Cluster]) {
    this.#database = database;
    this.clusters = clusters;
  }

  static async start(): Promise<TwoNodes> {
    const database = await testDatabase();
    const environment = { SVC_LOG_LEVEL: 'warn' };
    return new TwoNodes(database, await Promise.all([startCluster({ database, environment }), startCluster({ database, environment })]));
  }

  /** The node of a round, so that changes come from either. */
  admin(round: number): HttpClient {
    return this.clusters[round % 2 === 0 ? 0 : 1].client();
  }

  /** The same request to both nodes at once, as a guest. */
  both(ask: (client: HttpClient, node: number) => Promise<HttpAnswer>): Promise<readonly HttpAnswer[]> {
    return Promise.all(this.clusters.map((cluster, node) => ask(cluster.guest(), node)));
  }

  async close(): Promise<void> {
    await Promise.all(this.clusters.map((cluster) => cluster.close()));
    await this.#database.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

for (const { traffic, loaded } of [
  { traffic: 'in quiet', loaded: false },
  { traffic: 'under traffic', loaded: true },
]) {
  describe(`a change of schema, ${traffic}, holds on two nodes for the first request after its answer:`, () => {
    let nodes: TwoNodes;
    let loads: readonly Load[] = [];

    before(async () => {
      nodes = await TwoNodes.start();
      if (loaded) loads = nodes.clusters.map((cluster) => new Load({ baseUrl: cluster.baseUrl, clients: 4, next: anyShot }));
    });

    after(async () => {
      await Promise.all(loads.map((load) => load.stop()));
      await nodes.close();
    });

    /** A collection that both nodes have at hand, with the record `one`. */
    const cached = async (round: number, name: string, fields: readonly object[] = [title]): Promise<HttpClient> => {
      const admin = nodes.admin(round);
      await admin.delete(`/api/svc/${name}`);
      assert.equal((await admin.post('/api/svc', { name, type: 'base', fields, rules: openRules })).status, 201);
      assert.equal((await admin.post(`/api/svc/${name}/records`, { id: 'one', title: 'first' })).status, 201);
      for (const { status } of await nodes.both((client) => client.get(`/api/svc/${name}/records/one`))) assert.equal(status, 200);
      return admin;
    };

    const titles = async (name: string): Promise<readonly unknown[]> =>
      (await nodes.both((client) => client.get(`/api/svc/${name}/records/one`))).map((answer) =>
        answer.status === 200 ? answer.json()['title'] : answer.status,
      );

    for (let round = 0; round < rounds; round += 1) {
      it(`a rename, and the name given to another (${round})`, async () => {
        const admin = await cached(round, 'a');
        await admin.delete('/api/svc/b');

        const renamed = await admin.patch('/api/svc/a', { name: 'b' });
        const gone = await titles('a');
        const moved = await titles('b');
        await admin.post('/api/svc', { name: 'a', type: 'base', fields: [title], rules: openRules });
        const empty = await titles('a');
        await nodes.admin(round + 1).post('/api/svc/a/records', { id: 'one', title: 'second' });

        assert.equal(renamed.status, 200);
        assert.deepEqual(
          [gone, moved, empty],
          [
            [404, 404],
            ['first', 'first'],
            [404, 404],
          ],
        );
        assert.deepEqual(
          [await titles('a'), await titles('b')],
          [
            ['second', 'second'],
            ['first', 'first'],
          ],
        );
      });

      it(`a rule that is locked, and opened again (${round})`, async () => {
        const admin = await cached(round, 'a');
        const asked = (): Promise<readonly number[]> => statusesOf(nodes.both((client, node) => everyOperation(client, 'a', `${round}${node}`)));
        await asked();

        await admin.patch('/api/svc/a', { rules: { listRule: null, viewRule: null, createRule: null, updateRule: null, deleteRule: null } });
        const locked = await Promise.all(
          operations.map((operation) => statusesOf(nodes.both((client, node) => operation(client, 'a', `l${round}${node}`)))),
        );
        await admin.patch('/api/svc/a', { rules: openRules });
        const open = await Promise.all(
          operations.map((operation) => statusesOf(nodes.both((client, node) => operation(client, 'a', `o${round}${node}`)))),
        );

        assert.deepEqual(
          locked.flat(),
          Array.from({ length: 8 }, () => 401),
        );
        assert.deepEqual(open.flat(), [200, 200, 200, 200, 201, 201, 200, 200]);
      });

      it(`a field added, renamed, made required and dropped (${round})`, async () => {
        const admin = await cached(round, 'a');
        const view = async (): Promise<readonly (readonly string[])[]> =>
          (await nodes.both((client) => client.get('/api/svc/a/records/one'))).map((answer) =>
            Object.keys(answer.json()).filter((key) => !system.has(key)),
          );
        const create = (body: object): Promise<readonly number[]> => statusesOf(nodes.both((client) => client.post('/api/svc/a/records', body)));
        const change = async (fields: readonly object[]): Promise<readonly Field[]> => {
          const answer = await admin.patch('/api/svc/a', { fields });
          assert.equal(answer.status, 200, answer.text);
          return answer.json<{ fields: readonly Field[] }>().fields;
        };
        const [kept] = (await admin.get('/api/svc/a')).json<{ fields: readonly Field[] }>().fields;

        const added = await change([kept ?? title, { name: 'size', type: 'number' }]);
        const withSize = await view();
        const refused = await create({ size: 'large' });
        await change(added.map((field) => (field.name === 'size' ? { ...field, name: 'length' } : field)));
        const withLength = await view();
        const dropped = await change(added.filter(({ name }) => name !== 'size'));
        const without = await view();
        await admin.post('/api/svc/a/truncate');
        const emptied = await statusesOf(nodes.both((client) => client.get('/api/svc/a/records/one')));
        await change(dropped.map((field) => ({ ...field, required: true })));
        const blank = await create({});

        assert.deepEqual([withSize, withLength, without], [twice(['title', 'size']), twice(['title', 'length']), twice(['title'])]);
        assert.deepEqual([refused, emptied, blank], [twice(400), twice(404), twice(400)]);
      });

      it(`a collection dropped, and made anew with other fields (${round})`, async () => {
        const admin = await cached(round, 'a');

        await admin.delete('/api/svc/a');
        const gone = await Promise.all(
          operations.map((operation) => statusesOf(nodes.both((client, node) => operation(client, 'a', `d${round}${node}`)))),
        );
        await nodes.admin(round + 1).post('/api/svc', { name: 'a', type: 'base', fields: [{ name: 'size', type: 'number' }], rules: openRules });
        const created = await nodes.both((client, node) =>
          client.post('/api/svc/a/records', { id: `new${round}${node}`, size: 3, title: 'ignored' }),
        );

        assert.deepEqual(
          gone.flat(),
          Array.from({ length: 8 }, () => 404),
        );
        assert.deepEqual(
          created.map((answer) => [answer.status, answer.json()['size'], answer.json()['title']]),
          twice([201, 3, undefined]),
        );
      });
    }

    it('and no answer to anybody meanwhile was one that is not documented', async () => {
      const hits = (await Promise.all(loads.map((load) => load.stop()))).flat();

      assert.deepEqual(nodes.clusters.flatMap(failures), []);
      assert.deepEqual([...new Set(hits.filter(isUndocumented).map(spoken))], []);
    });
  });
}

interface Field {
  readonly name: string;
}

const system = new Set(['id', 'created_at', 'updated_at']);

function twice<Value>(value: Value): readonly Value[] {
  return [value, value];
}

type Operation = (client: HttpClient, collection: string, unique: string) => Promise<HttpAnswer>;

const operations: readonly Operation[] = [
  (client, collection) => client.get(`/api/svc/${collection}/records`),
  (client, collection) => client.get(`/api/svc/${collection}/records/one`),
  (client, collection, unique) => client.post(`/api/svc/${collection}/records`, { id: unique, title: 'new' }),
  (client, collection, unique) => client.patch(`/api/svc/${collection}/records/one`, { title: unique }),
];

async function everyOperation(client: HttpClient, collection: string, unique: string): Promise<HttpAnswer> {
  const answers = await Promise.all(operations.map((operation) => operation(client, collection, `e${unique}`)));
  const [first] = answers;
  if (first === undefined) throw new TypeError('there are operations');
  return first;
}

async function statusesOf(answers: Promise<readonly HttpAnswer[]>): Promise<readonly number[]> {
  return (await answers).map(({ status }) => status);
}

/** Guests at all that the tests change. */
function anyShot(client: number, turn: number): Shot {
  const name = turn % 3 === 0 ? 'b' : 'a';
  const path = `/api/svc/${name}/records`;
  const shots: readonly Shot[] = [
    { method: 'GET', path: `${path}/one` },
    { method: 'POST', path, body: { title: `of ${client}`, size: turn } },
    { method: 'GET', path: `${path}?sort=-id&perPage=5` },
    { method: 'GET', path: `${path}?fields=id,title` },
    { method: 'PATCH', path: `${path}/one`, body: { size: turn } },
    { method: 'POST', path, body: { title: `of ${client}` }, headers: { 'idempotency-key': `${client} ${turn}` } },
    { method: 'POST', path, body: { id: `t${client}`, title: 'kept' } },
    { method: 'DELETE', path: `${path}/t${client}` },
  ];
  return shots[turn % shots.length] ?? { method: 'GET', path };
}

/** 400, 401 and 404 are what the changes make of a request, 409 its rivals, 503 a schema that does not stand still. */
const documented = new Set([200, 201, 204, 400, 401, 404, 409, 503]);

function isUndocumented({ status }: Hit): boolean {
  return !documented.has(status);
}

function spoken({ shot, status, text }: Hit): string {
  return `${shot.method} ${shot.path}: ${status} ${text.replaceAll(/request id is .*?\./g, '')}`;
}
