import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCluster } from '../support/cluster.ts';

const account = { email: 'root@example.org', password: 'only root knows this', passwordConfirm: 'only root knows this' };

test('the first root user is made once, by whoever has the link, and signed in', async () => {
  await using cluster = await startCluster({ gateways: 2, stores: 2 });
  const guest = cluster.guest();
  assert.deepEqual((await guest.get('/api/setup')).json(), { needed: true });
  assert.equal((await guest.post('/api/setup', account)).status, 401);
  assert.equal((await guest.post('/api/setup', { ...account, token: 'guessed' })).status, 400);
  assert.equal((await guest.post('/api/setup/link')).status, 401);
  const link = await cluster.client().post('/api/setup/link');
  assert.equal(link.status, 201, link.text);
  const url = new URL(String(link.json()['url']));
  assert.equal(url.pathname, '/_svc_/setup');
  const token = url.searchParams.get('token');

  const weak = await guest.post('/api/setup', { ...account, password: 'short', passwordConfirm: 'short', token });
  assert.equal(weak.status, 400, weak.text);
  const answers = await Promise.all(
    [0, 1, 0, 1].map((gateway, index) => cluster.guest(gateway).post('/api/setup', { ...account, email: `root${index}@example.org`, token })),
  );

  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((one, other) => one - other),
    [200, 409, 409, 409],
  );
  const winner = answers.find(({ status }) => status === 200);
  const headers = { Authorization: `Bearer ${String(winner?.json()['token'])}` };
  assert.equal((await guest.get('/api/settings', { headers })).status, 200);
  assert.deepEqual((await guest.get('/api/setup')).json(), { needed: false });
  assert.equal((await cluster.client().post('/api/setup/link')).status, 409);
  assert.equal((await cluster.client().post('/api/setup', account)).status, 409);
});

test('the admin key makes the first root user without a link; the last one cannot be deleted', async () => {
  await using cluster = await startCluster();
  const admin = cluster.client();
  const made = await admin.post('/api/setup', account);
  assert.equal(made.status, 200, made.text);
  const first = String(made.json<{ record: { id: string } }>().record.id);
  const path = '/api/svc/_rootUsers/records';
  assert.equal((await admin.delete(`${path}/${first}`)).status, 400);
  assert.equal((await admin.delete(`${path}?filter=${encodeURIComponent('id != ""')}`)).status, 400);
  const second = String((await admin.post(path, { email: 'two@example.org', password: 'only root knows this' })).json()['id']);

  const answers = await Promise.all([admin.delete(`${path}/${first}`), admin.delete(`${path}/${second}`)]);

  assert.equal(answers.filter(({ status }) => status === 204).length, 1, answers.map(({ text }) => text).join());
  assert.equal((await admin.get(path)).json<{ items: unknown[] }>().items.length, 1);
});
