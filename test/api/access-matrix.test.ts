import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startCluster, type Cluster } from '../support/cluster.ts';
import type { HttpAnswer, HttpClient } from '../support/http.ts';

// Who may do what under which kind of rule: everybody of interest, every operation, every kind of rule; and what the other ways to
// ask (expand, search, filter, sort, totals, bulk, batch) give away of records that are not for the one who asks.

type Json = Readonly<Record<string, unknown>>;

let cluster: Cluster;
let admin: HttpClient;
let guest: HttpClient;

const password = 'one for everybody';
const callers = ['guest', 'owner', 'other', 'foreigner', 'root', 'admin'] as const;
type Caller = (typeof callers)[number];

const tokens = new Map<Caller, string>();

/** Kinds of rule, and whom each lets have the owner's record. */
const kinds: Readonly<Record<string, { readonly rule: string | null; readonly lets: readonly Caller[] }>> = {
  locked: { rule: null, lets: [] },
  open: { rule: '', lets: ['guest', 'owner', 'other', 'foreigner'] },
  owner: { rule: 'owner = @request.auth.id', lets: ['owner'] },
  signed_in: { rule: '@request.auth.id != ""', lets: ['owner', 'other', 'foreigner'] },
  of_users: { rule: '@request.auth.svc = "users"', lets: ['owner', 'other'] },
  path: { rule: 'owner.level = 2 && @request.auth.level = owner.level', lets: ['owner'] },
  collection: { rule: '@collection.grants.who ?= @request.auth.id && @collection.grants.what ?= id', lets: ['owner'] },
  never: { rule: 'id = "" && owner != owner', lets: [] },
};

before(async () => {
  cluster = await startCluster({ environment: { SVC_ROOT_EMAIL: 'root@example.org', SVC_ROOT_PASSWORD: password } });
  admin = cluster.client();
  guest = cluster.guest();
  const account = { type: 'auth', fields: [{ name: 'level', type: 'number' }] };
  await must(admin.post('/api/svc', { name: 'users', ...account }));
  await must(admin.post('/api/svc', { name: 'strangers', ...account }));
  await must(admin.post('/api/svc/users/records', { id: 'owner', username: 'owner', password, level: 2 }));
  await must(admin.post('/api/svc/users/records', { id: 'other', username: 'other', password, level: 1 }));
  // The id of an account is nothing by itself: this one has the owner's, in another collection.
  await must(admin.post('/api/svc/strangers/records', { id: 'stranger', username: 'stranger', password, level: 1 }));
  await must(
    admin.post('/api/svc', {
      name: 'grants',
      fields: [
        { name: 'who', type: 'text' },
        { name: 'what', type: 'text' },
      ],
    }),
  );
  for (const [name, { rule }] of Object.entries(kinds)) await makeKind(name, rule);
  for (const [caller, collection, identity] of [
    ['owner', 'users', 'owner'],
    ['other', 'users', 'other'],
    ['foreigner', 'strangers', 'stranger'],
    ['root', '_rootUsers', 'root@example.org'],
  ] as const) {
    const answer = await must(guest.post(`/api/svc/${collection}/auth-with-password`, { identity, password }));
    tokens.set(caller, String(answer.json()['token']));
  }
});

after(() => cluster.close());

async function must(answering: Promise<HttpAnswer>): Promise<HttpAnswer> {
  const answer = await answering;
  assert.ok(answer.status < 300, answer.text);
  return answer;
}

async function makeKind(name: string, rule: string | null): Promise<void> {
  const owner = { name: 'owner', type: 'relation', relationConfig: { targetSvc: 'users' } };
  const rules = { listRule: rule, viewRule: rule, createRule: rule, updateRule: rule, deleteRule: rule };
  await must(admin.post('/api/svc', { name: `of_${name}`, fields: [owner, { name: 'word', type: 'text' }, { name: 'n', type: 'number' }], rules }));
  await must(admin.post(`/api/svc/of_${name}/records`, { id: 'it', owner: 'owner', word: 'treasure', n: 1 }));
  const link = { name: 'link', type: 'relation', relationConfig: { targetSvc: `of_${name}` } };
  await must(admin.post('/api/svc', { name: `to_${name}`, fields: [link], rules: { listRule: '', viewRule: '' } }));
  await must(admin.post(`/api/svc/to_${name}/records`, { id: 'link', link: 'it' }));
}

async function as(caller: Caller, method: string, path: string, body?: unknown): Promise<HttpAnswer> {
  const headers: Record<string, string> = {};
  if (caller === 'admin') headers['X-Admin-Key'] = cluster.adminKey;
  else if (caller !== 'guest') headers['Authorization'] = `Bearer ${tokens.get(caller) ?? ''}`;
  return guest.send(method, path, body === undefined ? { headers } : { headers, body });
}

async function restore(name: string): Promise<void> {
  await admin.delete(`/api/svc/of_${name}/records/new`);
  const record = { owner: 'owner', word: 'treasure', n: 1 };
  const changed = await admin.patch(`/api/svc/of_${name}/records/it`, record);
  if (changed.status === 404) await must(admin.post(`/api/svc/of_${name}/records`, { id: 'it', ...record }));
  await must(admin.patch(`/api/svc/to_${name}/records/link`, { link: 'it' }));
  for (const grant of ['it', 'new']) await admin.post('/api/svc/grants/records', { id: `${name}_${grant}`, who: 'owner', what: grant });
}

for (const [name, { rule, lets }] of Object.entries(kinds)) {
  for (const caller of callers) {
    const isPrivileged = caller === 'root' || caller === 'admin';
    const may = isPrivileged || lets.includes(caller);
    const locked = caller === 'guest' ? 401 : 403;
    const hidden = rule === null ? locked : 404;

    test(`${caller} under a rule that is ${name}: ${may ? 'may' : 'may not'}`, async () => {
      await restore(name);
      const path = `/api/svc/of_${name}/records`;
      const list = await as(caller, 'GET', path);
      if (rule === null && !isPrivileged) assert.equal(list.status, locked);
      else assert.deepEqual([list.status, list.json()['totalItems']], [200, may ? 1 : 0], list.text);
      assert.equal((await as(caller, 'GET', `${path}/it`)).status, may ? 200 : hidden);
      const created = await as(caller, 'POST', path, { id: 'new', owner: 'owner', word: 'new', n: 2 });
      assert.equal(created.status, may ? 201 : locked, created.text);
      assert.equal((await as(caller, 'PATCH', `${path}/it`, { n: 3 })).status, may ? 200 : hidden);
      const bulk = await as(caller, 'PATCH', `${path}?filter=${encodeURIComponent('word = "treasure"')}`, { n: 4 });
      if (rule === null && !isPrivileged) assert.equal(bulk.status, locked);
      else assert.deepEqual(bulk.json(), { affected: may ? 1 : 0 });
      const batch = await as(caller, 'POST', '/api/batch', { requests: [{ method: 'PATCH', path: `${path}/it`, body: { n: 5 } }] });
      assert.equal(batch.status, may ? 200 : hidden, batch.text);
      const stored = (await admin.get(`${path}/it`)).json();
      assert.equal(stored['n'], may ? 5 : 1, 'what was refused has changed nothing');
      assert.equal((await as(caller, 'DELETE', `${path}/it`)).status, may ? 204 : hidden);
      assert.equal((await admin.get(`${path}/it`)).status, may ? 404 : 200);
      await restore(name);
    });

    test(`${caller} under a rule that is ${name}: nothing more is given away by other ways to ask`, async () => {
      await restore(name);
      const path = `/api/svc/of_${name}/records`;
      const shows = async (query: string): Promise<number> => {
        const answer = await as(caller, 'GET', `${path}?${query}`);
        return answer.status === 200 ? Number(answer.json()['totalItems']) : -1;
      };
      const expected = rule === null && !isPrivileged ? -1 : Number(may);
      for (const query of ['search=treasure', `filter=${encodeURIComponent('word ~ "treas"')}`, 'total=exact', 'sort=-word', 'perPage=1&page=2']) {
        assert.equal(await shows(query), expected, query);
      }
      const expanded = (await as(caller, 'GET', `/api/svc/to_${name}/records/link?expand=link`)).json<{ expand: Json }>();
      assert.equal('link' in expanded.expand, may, JSON.stringify(expanded));
      const through = await as(caller, 'GET', `/api/svc/to_${name}/records?filter=${encodeURIComponent('link.word = "treasure"')}`);
      if (rule === null && !isPrivileged) assert.equal(through.status, 400, 'a collection that is locked is no place for a filter to look into');
      else assert.equal(through.json()['totalItems'], Number(may), through.text);
      const sorted = await as(caller, 'GET', `/api/svc/to_${name}/records?sort=link.word&fields=id`);
      assert.equal(sorted.status, rule === null && !isPrivileged ? 400 : 200);
    });
  }
}

test('an update must hold for the record before and after', async () => {
  await restore('owner');
  const given = await as('owner', 'PATCH', '/api/svc/of_owner/records/it', { owner: 'other' });
  assert.equal(given.status, 403, given.text);
  assert.equal((await admin.get('/api/svc/of_owner/records/it')).json()['owner'], 'owner');
  assert.equal((await as('other', 'PATCH', '/api/svc/of_owner/records/it', { owner: 'other' })).status, 404);
});
