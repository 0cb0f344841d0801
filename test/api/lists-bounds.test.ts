import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { startCluster, type Cluster } from '../support/cluster.ts';
import type { HttpAnswer, HttpClient } from '../support/http.ts';
import { until } from '../support/until.ts';

type Json = Readonly<Record<string, unknown>>;

let cluster: Cluster;
let admin: HttpClient;
let guest: HttpClient;
let database: pg.Client;

const open = { listRule: '', viewRule: '', createRule: '', updateRule: '', deleteRule: '' };
const to = (targetSvc: string): Json => ({ type: 'relation', relationConfig: { targetSvc, cardinality: '1:N' } });

before(async () => {
  cluster = await startCluster();
  admin = cluster.client();
  guest = cluster.guest();
  database = new pg.Client(cluster.database.url);
  await database.connect();
});

after(async () => {
  await database.end();
  await cluster.close();
});

async function make(name: string, fields: readonly Json[]): Promise<void> {
  const made = await admin.post('/api/svc', { name, fields, rules: open });
  assert.equal(made.status, 201, made.text);
}

test('beyond ten thousand matches a filtered list says what the planner thinks', async () => {
  await make('many', [{ name: 'n', type: 'number' }]);
  await database.query("insert into data.many (id, n) select 'm' || i, i % 2 from generate_series(1, 30000) i");
  await database.query('analyze data.many');
  for (let round = 0; round < 3; round += 1) {
    const broad = (await guest.get('/api/svc/many/records?filter=n%3D1&perPage=1')).json();
    assert.equal(broad['totalIsEstimate'], true);
    assert.ok(Number(broad['totalItems']) > 10_000 && Number(broad['totalItems']) < 20_000, String(broad['totalItems']));
  }
  assert.equal((await guest.get('/api/svc/many/records?filter=n%3D1&perPage=1&total=exact')).json()['totalItems'], 15_000);
  assert.deepEqual((await guest.get('/api/svc/many/records?filter=n%3D1%26%26id~"m1%25"&perPage=1')).json()['totalIsEstimate'], undefined);
});

test('records that point to each other many times do not make an answer without bounds', async () => {
  await make('loops', [
    { name: 'text', type: 'text' },
    { name: 'of', ...to('loops') },
  ]);
  await admin.post('/api/svc/loops/records', { id: 'hub' });
  await admin.patch('/api/svc/loops/records/hub', { of: 'hub' });
  for (let index = 0; index < 80; index += 1) await admin.post('/api/svc/loops/records', { text: 'x'.repeat(50), of: 'hub' });
  const answer = await guest.get(`/api/svc/loops/records/hub?expand=${Array.from({ length: 3 }, () => 'loops_via_of.of').join('.')}`);
  assert.equal(answer.status, 400, answer.text.slice(0, 200));
  assert.match(answer.text, /would be larger/);
});

test('a very long text is kept and found by its beginning, with an index and without', async () => {
  await make('tomes', [{ name: 'text', type: 'text' }]);
  const words = Array.from({ length: 300_000 }, (_, index) => `w${index}`).join(' ');
  assert.equal((await guest.post('/api/svc/tomes/records', { text: `prologue ${words}` })).status, 201);
  const found = async (word: string): Promise<unknown> => (await guest.get(`/api/svc/tomes/records?search=${word}&fields=id`)).json()['totalItems'];
  assert.equal(await found('prologue'), 1);
  await until('the index stands', async () => {
    await found('prologue');
    const { rows } = await database.query(
      `select from pg_index join pg_class on pg_class.oid = indrelid where relname = 'tomes' and indexrelid::regclass::text like '%fts_%' and indisvalid`,
    );
    return rows.length === 1;
  });
  assert.equal((await guest.post('/api/svc/tomes/records', { text: `epilogue ${words}` })).status, 201);
  assert.equal(await found('epilogue'), 1);
});

test('a walk goes on where the values of its order are too long to be sent about', async () => {
  await make('longs', [{ name: 'text', type: 'text' }]);
  for (const letter of 'cabd') await admin.post('/api/svc/longs/records', { id: letter, text: letter.repeat(4_000) });
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: HttpAnswer = await guest.get(`/api/svc/longs/records?sort=text&perPage=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
    assert.equal(page.status, 200, page.text.slice(0, 200));
    const { items, nextCursor } = page.json<{ items: readonly { id: string }[]; nextCursor: string | null }>();
    ids.push(...items.map(({ id }) => id));
    cursor = nextCursor;
  }
  assert.deepEqual(ids, ['a', 'b', 'c', 'd']);
});
