import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startCluster, type Cluster } from '../support/cluster.ts';
import type { HttpClient } from '../support/http.ts';

let cluster: Cluster;
let admin: HttpClient;

before(async () => {
  cluster = await startCluster();
  admin = cluster.client();
});

after(() => cluster.close());

const body = { name: 'keyed', type: 'base', fields: [{ name: 'n', type: 'number' }] };

test('a collection is created once for its Idempotency-Key, at once and later', async () => {
  const headers = { 'Idempotency-Key': 'make-keyed' };

  const twins = await Promise.all(Array.from({ length: 4 }, () => admin.post('/api/svc', body, { headers })));
  const later = await admin.post('/api/svc', body, { headers });
  const without = await admin.post('/api/svc', body);

  assert.deepEqual([...new Set([...twins, later].map((answer) => `${answer.status} ${answer.text}`))], [`201 ${later.text}`]);
  assert.equal(without.status, 409);
});

test('another body with the same key is refused', async () => {
  const answer = await admin.post('/api/svc', { ...body, name: 'other' }, { headers: { 'Idempotency-Key': 'make-keyed' } });

  assert.equal(answer.status, 422);
  assert.equal((await admin.get('/api/svc/other')).status, 404);
});

test('a collection is deleted once for its Idempotency-Key', async () => {
  const headers = { 'Idempotency-Key': 'drop-keyed' };

  const first = await admin.delete('/api/svc/keyed', { headers });
  const again = await admin.delete('/api/svc/keyed', { headers });
  const without = await admin.delete('/api/svc/keyed');

  assert.deepEqual([first.status, again.status, without.status], [204, 204, 404]);
});
