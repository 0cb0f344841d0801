import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startCluster, type Cluster } from '../support/cluster.ts';
import type { HttpAnswer } from '../support/http.ts';

// What once was found by people who tried to break the service, each as they did it.

let cluster: Cluster;

const open = { listRule: '', viewRule: '', createRule: '', updateRule: '', deleteRule: '' };

before(async () => {
  cluster = await startCluster();
});

after(() => cluster.close());

async function make(name: string, fields: readonly object[], rest: object = {}): Promise<void> {
  const made = await cluster.client().post('/api/svc', { name, fields, rules: open, ...rest });
  assert.equal(made.status, 201, made.text);
}

const raw = (method: string, path: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${cluster.baseUrl}${path}`, { method, body, headers: { 'Content-Type': 'application/json', ...headers } });
const batch = (requests: unknown): Promise<HttpAnswer> => cluster.guest().post('/api/batch', { requests });
const filterOf = (text: string): string => `filter=${encodeURIComponent(text)}`;

test("nobody chooses an account's id, so nobody is taken for an account of another collection", async () => {
  await make('users', [], { type: 'auth', rules: {} });
  await make('members', [], { type: 'auth', rules: {} });
  const password = { password: 'a long enough one', passwordConfirm: 'a long enough one' };
  const victim = await cluster.client().post('/api/svc/users/records', { id: 'victim', email: 'victim@example.org' });
  assert.equal(victim.status, 201, victim.text);

  const chosen = await cluster.guest().post('/api/svc/members/records', { id: 'victim', email: 'evil@example.org', ...password });
  const inBatch = await batch([{ method: 'POST', path: '/api/svc/members/records', body: { id: 'victim', email: 'evil@example.org', ...password } }]);

  assert.equal(chosen.status, 400, chosen.text);
  assert.equal(inBatch.status, 400, inBatch.text);
});

test('a batch keeps values exactly, and refuses what a single write refuses', async () => {
  await make('exact', [
    { name: 'd', type: 'json' },
    { name: 'n', type: 'number' },
  ]);
  const d = '{"z":12345678901234567890,"b":1.0,"1":0.1000000000000000000001,"s":"{\\"$ref\\":\\"0.id\\"}","r":{"$ref":"#/definitions/a"}}';
  const sent = await raw('POST', '/api/batch', `{"requests":[{"method":"POST","path":"/api/svc/exact/records","body":{"id":"b1","n":77,"d":${d}}}]}`);
  assert.equal(sent.status, 200);
  assert.ok((await cluster.guest().get('/api/svc/exact/records/b1')).text.includes(`"d":${d}`));

  const overflow = await raw('POST', '/api/batch', '{"requests":[{"method":"PATCH","path":"/api/svc/exact/records/b1","body":{"n":1e400}}]}');
  assert.equal(overflow.status, 400);
  assert.equal((await cluster.guest().get('/api/svc/exact/records/b1')).json()['n'], 77);
});

test('a body of a batch that is itself a reference is refused as a whole', async () => {
  const write = (body: unknown) => ({ method: 'POST', path: '/api/svc/exact/records', body });
  for (const requests of [
    [write({ n: 1 }), write({ $ref: '0.id' })],
    [write({ n: 1 }), write({ $ref: '0.id' }), write({ n: 3 })],
  ]) {
    const answer = await batch(requests);
    assert.equal(answer.status, 400, answer.text);
    assert.deepEqual(Object.keys(answer.json<{ data: object }>().data), ['requests.1.body']);
  }
});

test('the filter of a bulk change asks only of records that the caller may see', async () => {
  await make(
    'secrets',
    [
      { name: 'pin', type: 'text' },
      { name: 'shown', type: 'bool' },
    ],
    { rules: { ...open, viewRule: 'shown = true' } },
  );
  await make('locked', [{ name: 'pin', type: 'text' }], { rules: { ...open, viewRule: null, listRule: null } });
  for (const [name, body] of [
    ['secrets', { pin: '4711', shown: false }],
    ['locked', { pin: '4711' }],
  ] as const)
    await cluster.client().post(`/api/svc/${name}/records`, body);

  const hidden = await cluster.guest().delete(`/api/svc/secrets/records?dryRun=true&${filterOf('pin ~ "4%"')}`);
  const refused = await cluster.guest().patch(`/api/svc/locked/records?dryRun=true&${filterOf('pin ~ "4%"')}`, {});

  assert.equal(hidden.json()['affected'], 0);
  assert.equal(refused.status, 401);
});

test('sign-ups in batches hold no connection while they hash, and are few', async () => {
  const sign = (index: number) => ({
    method: 'POST',
    path: '/api/svc/users/records',
    body: { email: `many${index}@example.org`, password: 'a long enough one', passwordConfirm: 'a long enough one' },
  });
  assert.equal((await batch(Array.from({ length: 11 }, (_, index) => sign(index)))).status, 400);
  const flood = Array.from({ length: 10 }, (_, round) => batch(Array.from({ length: 10 }, (__, index) => sign(100 + round * 10 + index))));
  const unique = await cluster.guest().post('/api/svc/exact/records', { id: 'b1' });
  assert.equal(unique.status, 409, unique.text);
  for (const answer of await Promise.all(flood)) assert.ok([200, 503].includes(answer.status), answer.text);
});

test('distances of tiny, huge and missing coordinates are numbers or nothing', async () => {
  await make('places', [{ name: 'n', type: 'number' }]);
  for (const n of [5e-324, 1e-200, 1e308, -1e308, null, 10]) await cluster.client().post('/api/svc/places/records', { n });
  for (const filter of [
    'geoDistance(0,1e-200,0,1e-200) < 1',
    'geoDistance(5e-324,0,0,0) < 1',
    'geoDistance(n,n,1,1) >= 0',
    'geoDistance(n,1,1,n) >= 0',
  ]) {
    const answer = await cluster.guest().get(`/api/svc/places/records?${filterOf(filter)}`);
    assert.equal(answer.status, 200, `${filter}: ${answer.text}`);
  }
});

test('a key names the whole request: another filter, a dry run or a collection of the same name is another one', async () => {
  await make('keyed', [{ name: 'n', type: 'number' }]);
  for (const id of ['f1', 'f2']) await cluster.client().post('/api/svc/keyed/records', { id });
  const headers = { 'Idempotency-Key': 'bulk' };
  const remove = (id: string, rest = ''): Promise<HttpAnswer> =>
    cluster.guest().delete(`/api/svc/keyed/records?${filterOf(`id = "${id}"`)}${rest}`, { headers });
  assert.equal((await remove('f1')).json()['affected'], 1);
  assert.equal((await remove('f1')).json()['affected'], 1);
  assert.equal((await remove('f2')).status, 422);
  assert.equal((await remove('f1', '&dryRun=true')).status, 422);

  const create = (): Promise<HttpAnswer> => cluster.guest().post('/api/svc/keyed/records', { n: 1 }, { headers });
  const first = await create();
  await cluster.client().delete('/api/svc/keyed');
  await make('keyed', [{ name: 'n', type: 'number' }]);
  const second = await create();
  assert.notEqual(second.json()['id'], first.json()['id']);
});

test('an answer that was kept shows no field that has been hidden since', async () => {
  await make('replayed', [
    { name: 'word', type: 'text', default: 'secret' },
    { name: 'n', type: 'number' },
  ]);
  const headers = { 'Idempotency-Key': 'replay' };
  const create = (): Promise<HttpAnswer> => cluster.guest().post('/api/svc/replayed/records', { n: 1 }, { headers });
  const first = await create();
  assert.equal(first.json()['word'], 'secret');
  await cluster.client().patch('/api/svc/replayed', {
    fields: [
      { name: 'word', type: 'text', default: 'secret', hidden: true },
      { name: 'n', type: 'number' },
    ],
  });
  const { word: _, ...visible } = first.json();
  assert.deepEqual((await create()).json(), visible);
});

test('batches that meet in opposite order all get through', async () => {
  for (const id of ['m1', 'm2']) await cluster.client().post('/api/svc/exact/records', { id });
  const patch = (id: string) => ({ method: 'PATCH', path: `/api/svc/exact/records/${id}`, body: { n: 5 } });
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => batch(index % 2 === 0 ? [patch('m1'), patch('m2')] : [patch('m2'), patch('m1')])),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
});

test('a rule that holds nothing but a comment is refused, because it looks as if it kept somebody out', async () => {
  for (const listRule of ['// nobody yet', '   ']) {
    const answer = await cluster.client().post('/api/svc', { name: 'commented', rules: { listRule } });
    assert.equal(answer.status, 400, answer.text);
  }
});

test('a page of a list whose total is estimated names the next one', async () => {
  await make('long', [{ name: 'n', type: 'number' }]);
  const filler = Array.from({ length: 100 }, () => ({ method: 'POST', path: '/api/svc/long/records', body: { n: 1 } }));
  for (let round = 0; round < 112; round += 8) await Promise.all(Array.from({ length: 8 }, () => batch(filler)));
  const page = await cluster.guest().get(`/api/svc/long/records?sort=id&perPage=500&page=21&${filterOf('strftime("%m", created) != ""')}`);
  assert.equal(page.json<{ items: unknown[] }>().items.length, 500);
  assert.notEqual(page.json()['nextCursor'], null);
});
