import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startCluster, type Cluster } from '../support/cluster.ts';
import type { HttpClient } from '../support/http.ts';

type Json = Readonly<Record<string, unknown>>;

interface Explanation {
  readonly state: string;
  readonly verdict: boolean | null;
  readonly parts: readonly { readonly source: string; readonly value: boolean | null; readonly depth: number }[];
  readonly failed: string | null;
  readonly filterVerdict: boolean | null;
  readonly sql: string | null;
  readonly parameters: readonly (string | null)[];
  readonly plan: readonly string[];
  readonly warnings: readonly string[];
}

let cluster: Cluster;
let admin: HttpClient;

before(async () => {
  cluster = await startCluster();
  admin = cluster.client();
  await admin.post('/api/svc', { name: 'users', type: 'auth', fields: [{ name: 'level', type: 'number' }] });
  const made = await admin.post('/api/svc', {
    name: 'posts',
    fields: [
      { name: 'title', type: 'text', required: true },
      { name: 'open', type: 'bool' },
      { name: 'owner', type: 'relation', relationConfig: { targetSvc: 'users' } },
    ],
    rules: {
      listRule: '',
      viewRule: 'open = true || (owner = @request.auth.id && title != "x)") // theirs',
      createRule: '@request.body.title:isset = true',
    },
  });
  assert.equal(made.status, 201, made.text);
  await admin.post('/api/svc/users/records', { id: 'ada', email: 'ada@example.org', level: 3 });
  await admin.post('/api/svc/posts/records', { id: 'p1', title: 'one', open: false, owner: 'ada' });
});

after(() => cluster.close());

async function explain(body: Json): Promise<Explanation> {
  const answer = await admin.post('/api/svc/posts/rules/explain', body);
  assert.equal(answer.status, 200, answer.text);
  return answer.json();
}

const ada = { svc: 'users', id: 'ada' };

test('an explanation says which parts hold for whom, and which one failed first', async () => {
  const own = await explain({ action: 'view', as: ada, recordId: 'p1' });
  assert.equal(own.verdict, true);
  assert.deepEqual(
    own.parts.map(({ source, value, depth }) => [depth, source, value]),
    [
      [0, 'any', true],
      [1, 'open = true', false],
      [1, 'all', true],
      [2, 'owner = @request.auth.id', true],
      [2, 'title != "x)"', true],
    ],
  );
  const guests = await explain({ action: 'view', recordId: 'p1' });
  assert.deepEqual([guests.verdict, guests.failed], [false, 'open = true || all']);
  const both = await explain({ rule: 'open = false && @request.auth.level > 5 && owner.level > 2', as: ada, recordId: 'p1' });
  assert.deepEqual([both.verdict, both.failed], [false, '@request.auth.level > 5']);
  assert.match(both.sql ?? '', /from "data"\."posts" record where/);
  assert.ok(both.plan.length > 0 && both.parameters.length > 0);
});

test('a record that is only thought of is judged, and not stored', async () => {
  const rule = 'owner.level > 2 && @collection.posts.title ?= "thought of" && @request.body.title = "thought of"';
  const thought = await explain({ rule, as: ada, record: { title: 'thought of', owner: 'ada' } });
  assert.equal(thought.verdict, true, JSON.stringify(thought.parts));
  const over = await explain({ rule: 'open = true', record: { id: 'p1', open: true } });
  assert.equal(over.verdict, true);
  assert.equal((await admin.get('/api/svc/posts/records')).json()['totalItems'], 1);
  assert.equal((await admin.get('/api/svc/posts/records/p1')).json()['open'], false);
});

test('locked, open and unnamed: what there is to say is said', async () => {
  assert.deepEqual([(await explain({ action: 'update' })).state, (await explain({ action: 'update' })).verdict], ['locked', false]);
  assert.deepEqual([(await explain({ action: 'list' })).state, (await explain({ action: 'list' })).verdict], ['open', true]);
  const unnamed = await explain({ action: 'view', as: ada });
  assert.deepEqual([unnamed.verdict, unnamed.parts.map(({ value }) => value)], [null, [null, null, null, null, null]]);
  assert.deepEqual((await explain({ rule: 'owner = @request.auth.id', as: ada })).warnings, []);
  assert.equal((await explain({ rule: 'title ~ "one"' })).warnings.length, 1);
  const filtered = await explain({ action: 'list', filter: 'title = "one"', recordId: 'p1' });
  assert.deepEqual([filtered.verdict, filtered.filterVerdict], [true, true]);
});

test('what cannot be explained is refused with its place, and to all but root', async () => {
  const refusals: readonly (readonly [unknown, number, RegExp])[] = [
    [{}, 400, /"rule"/],
    [{ rule: 'a', action: 'view' }, 400, /"rule"/],
    [{ rule: 'nothing = 1' }, 400, /at character 1/],
    [{ rule: 'title >> 1' }, 400, /at character 8/],
    [{ rule: '', filter: 'nothing = 1' }, 400, /at character 1/],
    [{ action: 'dance' }, 400, /"action"/],
    [{ action: 'view', as: { svc: 'users', id: 'nobody' } }, 404, /./],
    [{ action: 'view', as: { svc: 'posts', id: 'p1' } }, 400, /as\.svc/],
    [{ action: 'view', recordId: 'nobody' }, 404, /./],
    [{ action: 'view', record: { open: true } }, 400, /"title":\{"code":"required"/],
    [{ action: 'view', record: {}, recordId: 'p1' }, 400, /"recordId"/],
    [{ action: 'view', unknown: 1 }, 400, /"unknown"/],
    ['[]', 400, /./],
  ];
  for (const [body, status, text] of refusals) {
    const answer = await admin.post('/api/svc/posts/rules/explain', body);
    assert.equal(answer.status, status, `${JSON.stringify(body)}: ${answer.text}`);
    assert.match(answer.text, text);
  }
  assert.equal((await cluster.guest().post('/api/svc/posts/rules/explain', { action: 'view' })).status, 401);
  assert.equal((await admin.post('/api/svc/nothing/rules/explain', { action: 'view' })).status, 404);
});
