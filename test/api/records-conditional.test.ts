import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startCluster, type Cluster } from '../support/cluster.ts';
import type { HttpAnswer, HttpClient } from '../support/http.ts';

let cluster: Cluster;
let admin: HttpClient;
let guest: HttpClient;

before(async () => {
  cluster = await startCluster({ gateways: 2, stores: 2 });
  admin = cluster.client();
  guest = cluster.guest(1);
  const rules = { listRule: '', viewRule: '', createRule: '', updateRule: '', deleteRule: '' };
  const made = await admin.post('/api/svc', { name: 'things', type: 'base', fields: [{ name: 'n', type: 'number' }], rules });
  assert.equal(made.status, 201, made.text);
});

after(() => cluster.close());

async function thing(n: number): Promise<{ path: string; tag: string; answer: HttpAnswer }> {
  const answer = await admin.post('/api/svc/things/records', { n });
  return { path: `/api/svc/things/records/${answer.json<{ id: string }>().id}`, tag: answer.headers.get('etag') ?? '', answer };
}

const count = async () => (await admin.get('/api/svc/things/records?total=exact&perPage=1')).json()['totalItems'];

test('the entity tag is the same from create, view and update, on every node', async () => {
  const { path, tag } = await thing(1);

  const viewed = await guest.get(path);
  const updated = await admin.patch(path, { n: 2 });
  const viewedAgain = await guest.get(path);

  assert.match(tag, /^"\d+\.\d+"$/);
  assert.equal(viewed.headers.get('etag'), tag);
  assert.notEqual(updated.headers.get('etag'), tag);
  assert.equal(viewedAgain.headers.get('etag'), updated.headers.get('etag'));
});

test('If-None-Match answers 304 without a body while the record is the same', async () => {
  const { path, tag } = await thing(1);

  const same = await guest.get(path, { headers: { 'If-None-Match': `"other", W/${tag}` } });
  await admin.patch(path, { n: 2 });
  const changed = await guest.get(path, { headers: { 'If-None-Match': tag } });

  assert.deepEqual([same.status, same.text, same.headers.get('etag')], [304, '', tag]);
  assert.equal(changed.status, 200);
});

test('If-Match lets a write through for the current version only', async () => {
  const { path, tag } = await thing(1);

  const first = await admin.patch(path, { n: 2 }, { headers: { 'If-Match': tag } });
  const late = await admin.patch(path, { n: 3 }, { headers: { 'If-Match': tag } });
  const lateDelete = await admin.delete(path, { headers: { 'If-Match': tag } });
  const current = await admin.delete(path, { headers: { 'If-Match': first.headers.get('etag') ?? '' } });

  assert.deepEqual([first.status, late.status, lateDelete.status, current.status], [200, 412, 412, 204]);
});

test('of many updates with the same If-Match, over two nodes, exactly one goes through', async () => {
  const { path, tag } = await thing(0);

  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => cluster.client(n % 2).patch(path, { n: n + 1 }, { headers: { 'If-Match': tag } })),
  );

  const statuses = answers.map((answer) => answer.status).toSorted((a, b) => a - b);
  assert.deepEqual(statuses, [200, ...Array<number>(39).fill(412)]);
});

test('concurrent updates of one record all succeed, one after the other, over two nodes', async () => {
  const { path } = await thing(0);

  const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => cluster.client(n % 2).patch(path, { n: n + 1 })));

  assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200]);
  assert.equal(new Set(answers.map((answer) => answer.headers.get('etag'))).size, 60);
});

test('an Idempotency-Key makes twins one write, in sequence and at once, on any node', async () => {
  const countBefore = await count();
  const headers = { 'Idempotency-Key': 'create-1' };

  const twins = await Promise.all(Array.from({ length: 8 }, (_, n) => cluster.client(n % 2).post('/api/svc/things/records', { n: 5 }, { headers })));
  const later = await admin.post('/api/svc/things/records', { n: 5 }, { headers });

  assert.deepEqual(new Set([...twins, later].map((answer) => `${answer.status} ${answer.text} ${answer.headers.get('etag')}`)).size, 1);
  assert.equal(later.status, 201);
  assert.equal(await count(), Number(countBefore) + 1);
});

test('an Idempotency-Key with another body is refused, with another path it is another key', async () => {
  const headers = { 'Idempotency-Key': 'key-2' };
  const { path } = await thing(1);

  await admin.post('/api/svc/things/records', { n: 1 }, { headers });
  const other = await admin.post('/api/svc/things/records', { n: 2 }, { headers });
  const elsewhere = await admin.patch(path, { n: 2 }, { headers });

  assert.deepEqual([other.status, elsewhere.status], [422, 200]);
});

test('a refused write does not use its Idempotency-Key up', async () => {
  const headers = { 'Idempotency-Key': 'key-3' };

  const bad = await admin.post('/api/svc/things/records', { n: 'x' }, { headers });
  const good = await admin.post('/api/svc/things/records', { n: 1 }, { headers });

  assert.deepEqual([bad.status, good.status], [400, 201]);
});

for (const key of ['', 'ä', 'x'.repeat(256)]) {
  test(`the Idempotency-Key ${JSON.stringify(key.slice(0, 10))} of ${key.length} characters is refused or ignored, never a 500`, async () => {
    const answer = await admin.send('POST', '/api/svc/things/records', {
      headers: { 'Idempotency-Key': encodeURI(key) === key ? key : '\u00e4' },
      body: { n: 1 },
    });

    assert.ok([201, 400].includes(answer.status), answer.text);
  });
}
