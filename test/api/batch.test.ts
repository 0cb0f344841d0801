import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startCluster, type Cluster } from '../support/cluster.ts';
import type { HttpAnswer, HttpClient } from '../support/http.ts';
import pg from 'pg';

type Json = Readonly<Record<string, unknown>>;

let cluster: Cluster;
let admin: HttpClient;
let guest: HttpClient;
let database: pg.Client;

const to = (targetSvc: string, rest: Json = {}): Json => ({ type: 'relation', relationConfig: { targetSvc, cardinality: '1:N', ...rest } });

before(async () => {
  cluster = await startCluster();
  admin = cluster.client();
  guest = cluster.guest();
  database = new pg.Client(cluster.database.url);
  await database.connect();
  const rules = { listRule: '', viewRule: '', createRule: 'n < 10', updateRule: 'open = true', deleteRule: 'open = true' };
  await make(
    'teams',
    [
      { name: 'n', type: 'number' },
      { name: 'open', type: 'bool', default: true },
      { name: 'code', type: 'text', unique: true },
    ],
    rules,
  );
  await make(
    'members',
    [
      { name: 'n', type: 'number' },
      { name: 'open', type: 'bool', default: true },
      { name: 'team', ...to('teams', { onDelete: 'RESTRICT' }) },
    ],
    rules,
  );
});

after(async () => {
  await database.end();
  await cluster.close();
});

async function make(name: string, fields: readonly Json[], rules: Json): Promise<void> {
  const made = await admin.post('/api/svc', { name, fields, rules });
  assert.equal(made.status, 201, made.text);
}

const batch = (client: HttpClient, requests: unknown, headers: Record<string, string> = {}): Promise<HttpAnswer> =>
  client.post('/api/batch', { requests }, { headers });

async function idsIn(collection: string, filter = 'id != ""'): Promise<string> {
  const list = await admin.get(`/api/svc/${collection}/records?perPage=500&sort=id&fields=id&filter=${encodeURIComponent(filter)}`);
  return list
    .json<{ items: readonly { id: string }[] }>()
    .items.map(({ id }) => id)
    .join(' ');
}

async function eventsOf(collection: string): Promise<number> {
  const { rows } = await database.query<{ count: string }>(
    'select count(*) from svc.outbox where collection = (select id from svc.collections where name = $1)',
    [collection],
  );
  return Number(rows[0]?.count);
}

test('a batch writes in order, refers to earlier ids, and answers what each write would have answered', async () => {
  const answer = await batch(guest, [
    { method: 'POST', path: '/api/svc/teams/records', body: { n: 1 } },
    { method: 'POST', path: '/api/svc/members/records', body: { id: 'm1', n: 1, team: { $ref: '0.id' } } },
    { method: 'PATCH', path: '/api/svc/members/records/m1', body: { n: 2 } },
    { method: 'PATCH', path: '/api/svc/teams/records/{0.id}', body: { n: 3 } },
    { method: 'POST', path: '/api/svc/members/records', body: { id: 'm2', n: 0 } },
    { method: 'DELETE', path: '/api/svc/members/records/m2' },
  ]);
  assert.equal(answer.status, 200, answer.text);
  const parts = answer.json<readonly { status: number; body: Json | null }[]>();
  assert.deepEqual(
    parts.map(({ status }) => status),
    [201, 201, 200, 200, 201, 204],
  );
  assert.equal(parts[1]?.body?.['team'], parts[0]?.body?.['id']);
  const stored = (await admin.get('/api/svc/members/records/m1')).json();
  assert.deepEqual([stored['n'], stored['team']], [2, parts[0]?.body?.['id']]);
  assert.equal((await admin.get(`/api/svc/teams/records/${String(stored['team'])}`)).json()['n'], 3);
  assert.equal((await admin.get('/api/svc/members/records/m2')).status, 404);
});

test('one write that fails undoes all, and the answer says which one and why', async () => {
  const held = [await idsIn('teams'), await eventsOf('teams')];
  const refusals: readonly (readonly [unknown, number, RegExp])[] = [
    [{ method: 'POST', path: '/api/svc/teams/records', body: { n: 'x' } }, 400, /"requests\.1\.body\.n"/],
    [{ method: 'POST', path: '/api/svc/teams/records', body: { n: 1, code: 'same' } }, 400, /"requests\.1\.body\.code":\{"code":"not_unique"/],
    [{ method: 'POST', path: '/api/svc/teams/records', body: { n: 11 } }, 401, /requests\.1: Sign in/],
    [{ method: 'PATCH', path: '/api/svc/teams/records/nobody', body: { n: 1 } }, 404, /requests\.1: /],
    [{ method: 'POST', path: '/api/svc/members/records', body: { n: 1, team: 'nobody' } }, 400, /relation_not_found/],
    [{ method: 'POST', path: '/api/svc/nothing/records', body: {} }, 404, /requests\.1: /],
    [{ method: 'PATCH', path: '/api/svc/teams/records/x', body: { n: { $ref: '7.id' } } }, 400, /earlier write/],
  ];
  for (const [second, status, text] of refusals) {
    const answer = await batch(guest, [{ method: 'POST', path: '/api/svc/teams/records', body: { n: 1, code: 'same' } }, second]);
    assert.equal(answer.status, status, answer.text);
    assert.match(answer.text, text);
  }
  assert.deepEqual([await idsIn('teams'), await eventsOf('teams')], held);
});

test('what is no batch is refused, and nothing is written', async () => {
  for (const requests of [
    [],
    'x',
    null,
    [null],
    [{ method: 'GET', path: '/api/svc/teams/records' }],
    [{ method: 'POST', path: '/api/svc/teams/records/x', body: {} }],
    [{ method: 'DELETE', path: '/api/svc/teams/records' }],
    [{ method: 'POST', path: '/api/settings', body: {} }],
    [{ method: 'POST', path: '/api/svc/teams/../_rootUsers/records', body: {} }],
    [{ method: 'POST', path: '/api/svc/teams/records', body: [] }],
    Array.from({ length: 101 }, () => ({ method: 'POST', path: '/api/svc/teams/records', body: { n: 1 } })),
  ]) {
    const answer = await batch(guest, requests);
    assert.equal(answer.status, 400, `${JSON.stringify(requests).slice(0, 200)}: ${answer.text}`);
  }
});

test('a batch with an idempotency key is carried out once', async () => {
  const headers = { 'Idempotency-Key': 'batch-once' };
  const requests = [{ method: 'POST', path: '/api/svc/teams/records', body: { n: 4 } }];
  const [first, second] = await Promise.all([batch(guest, requests, headers), batch(guest, requests, headers)]);
  assert.equal(first.status, 200, first.text);
  assert.equal(first.text, second.text);
  assert.equal((await idsIn('teams', 'n = 4')).split(' ').length, 1);
});

test('batches that touch the same records in opposite orders both end', async () => {
  for (const id of ['t1', 't2']) await admin.post('/api/svc/teams/records', { id, n: 5 });
  const patches = (ids: readonly string[]): unknown =>
    ids.map((id) => ({ method: 'PATCH', path: `/api/svc/teams/records/${id}`, body: { n: Math.random() } }));
  const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => batch(guest, patches(index % 2 === 0 ? ['t1', 't2'] : ['t2', 't1']))));
  for (const answer of answers) assert.ok([200, 409, 503].includes(answer.status), answer.text);
  assert.ok(answers.some(({ status }) => status === 200));
  for (const id of ['t1', 't2']) await admin.delete(`/api/svc/teams/records/${id}`);
});

test('a bulk change reaches what the filter matches and the rule lets the caller change, one event each', async () => {
  for (const [id, open] of Object.entries({ b1: true, b2: false, b3: true, b4: true }))
    await admin.post('/api/svc/teams/records', { id, n: 7, open });
  const path = (query: string): string => `/api/svc/teams/records?filter=n%3D7${query}`;
  const events = await eventsOf('teams');
  assert.deepEqual((await guest.patch(path('&dryRun=true'), { n: 8 })).json(), { affected: 3, dryRun: true });
  const tooMany = await guest.patch(path('&maxAffected=2'), { n: 8 });
  assert.equal(tooMany.status, 400, tooMany.text);
  assert.match(tooMany.text, /maxAffected/);
  assert.equal(await eventsOf('teams'), events, 'nothing was changed so far');
  const made = await guest.patch(path(''), { n: 8 });
  assert.equal(made.status, 200, made.text);
  assert.deepEqual(made.json(), { affected: 3 });
  assert.equal(await idsIn('teams', 'n = 8'), 'b1 b3 b4');
  assert.equal(await eventsOf('teams'), events + 3);
  assert.deepEqual((await guest.delete('/api/svc/teams/records?filter=n%3D8&maxAffected=3')).json(), { affected: 3 });
  assert.equal(await idsIn('teams', 'n = 8 || n = 7'), 'b2');
  assert.equal(await eventsOf('teams'), events + 6);
});

test('a bulk change that would end against a rule or a reference changes nothing', async () => {
  for (const id of ['r1', 'r2']) await admin.post('/api/svc/teams/records', { id, n: 20 });
  await admin.post('/api/svc/members/records', { id: 'rm', n: 1, team: 'r2' });
  assert.equal((await guest.patch('/api/svc/teams/records?filter=n%3D20', { open: false })).status, 401, 'it would leave what may be changed');
  assert.equal((await guest.delete('/api/svc/teams/records?filter=n%3D20')).status, 400, 'a member still needs r2');
  assert.equal(await idsIn('teams', 'n = 20 && open = true'), 'r1 r2');
});

test('a bulk change without a filter, or with a bad one, is refused', async () => {
  for (const query of [
    '',
    '?filter=',
    '?filter=%20',
    '?filter=n%3E%3E1',
    '?filter=n%3D1&maxAffected=0',
    '?filter=n%3D1&maxAffected=10001',
    '?filter=n%3D1&dryRun=maybe',
  ]) {
    for (const answer of [await guest.patch(`/api/svc/teams/records${query}`, { n: 1 }), await guest.delete(`/api/svc/teams/records${query}`)]) {
      assert.equal(answer.status, 400, `${query}: ${answer.text}`);
    }
  }
});
