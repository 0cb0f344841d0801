import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startCluster, type Cluster } from '../support/cluster.ts';
import type { HttpAnswer, HttpClient } from '../support/http.ts';

type Json = Readonly<Record<string, unknown>>;

let cluster: Cluster;
let admin: HttpClient;
let guest: HttpClient;

before(async () => {
  cluster = await startCluster();
  admin = cluster.client();
  guest = cluster.guest();
  await make(
    'people',
    [
      { name: 'name', type: 'text' },
      { name: 'salary', type: 'number', hidden: true },
    ],
    {
      listRule: 'name != "Ghost"',
      viewRule: 'name != "Ghost"',
    },
  );
  await make(
    'posts',
    [
      { name: 'title', type: 'text' },
      { name: 'status', type: 'select', options: ['open', 'shut'] },
      { name: 'n', type: 'number' },
      { name: 'secret', type: 'text', hidden: true },
      { name: 'author', type: 'relation', relationConfig: { targetSvc: 'people', cardinality: '1:N' } },
    ],
    {
      listRule: 'status = "open"',
      viewRule: 'status = "open" && secret != "x"',
      createRule: '@request.body.title:isset = true && n < 10',
      updateRule: 'status = "open" && n < 100',
      deleteRule: 'status = "open"',
    },
  );
  await make('locked', [{ name: 'owner', type: 'relation', relationConfig: { targetSvc: 'posts', cardinality: '1:N' } }], {});
  for (const [id, name] of Object.entries({ ann: 'Ann', ghost: 'Ghost' })) await create('people', { id, name, salary: 7 });
  await create('posts', { id: 'p1', title: 'one', status: 'open', n: 1, author: 'ann' });
  await create('posts', { id: 'p2', title: 'two', status: 'shut', n: 2, author: 'ann' });
  await create('posts', { id: 'p3', title: 'three', status: 'open', n: 3, secret: 'x', author: 'ghost' });
});

after(() => cluster.close());

async function make(name: string, fields: readonly Json[], rules: Json): Promise<void> {
  const made = await admin.post('/api/svc', { name, fields, rules });
  assert.equal(made.status, 201, made.text);
}

async function create(collection: string, body: Json): Promise<void> {
  const made = await admin.post(`/api/svc/${collection}/records`, body);
  assert.equal(made.status, 201, made.text);
}

/** The ids of a list, in the order of ids. */
async function idsOf(client: HttpClient, collection: string, filter: string): Promise<string> {
  const list = await client.get(`/api/svc/${collection}/records?sort=id&filter=${encodeURIComponent(filter)}`);
  assert.equal(list.status, 200, list.text);
  return list
    .json<{ items: readonly { id: string }[] }>()
    .items.map(({ id }) => id)
    .join(' ');
}

const filtered = (client: HttpClient, filter: string): Promise<HttpAnswer> =>
  client.get(`/api/svc/posts/records?filter=${encodeURIComponent(filter)}`);

test('a filter narrows what the list rule leaves, and totals count no more than that', async () => {
  assert.equal(await idsOf(guest, 'posts', ''), 'p1 p3');
  assert.equal(await idsOf(admin, 'posts', ''), 'p1 p2 p3');
  assert.equal(await idsOf(guest, 'posts', 'n > 1'), 'p3');
  assert.equal(await idsOf(admin, 'posts', 'n > 1 && title ~ "w"'), 'p2');
  for (const total of ['', '&total=exact']) {
    const list = await guest.get(`/api/svc/posts/records?filter=n%3E0${total}`);
    assert.equal(list.json()['totalItems'], 2, total);
  }
});

test('a caller filters by no field that is hidden from him, and is told as if there were none', async () => {
  const hidden = await filtered(guest, 'secret = "x"');
  const absent = await filtered(guest, 'absent = "x"');
  assert.equal(hidden.status, 400);
  assert.equal(hidden.text.replace('secret', 'absent'), absent.text);
  assert.equal(await idsOf(admin, 'posts', 'secret = "x"'), 'p3');
  assert.equal((await filtered(guest, 'author.salary > 1')).status, 400);
  assert.equal(await idsOf(admin, 'posts', 'author.salary > 1'), 'p1 p2 p3');
});

test('behind a relation a caller sees only records that their own view rule shows him', async () => {
  assert.equal(await idsOf(guest, 'posts', 'author.name = "Ann"'), 'p1');
  assert.equal(await idsOf(guest, 'posts', 'author.name = "Ghost"'), '', 'the ghost is not to be seen');
  assert.equal(await idsOf(guest, 'posts', 'author.name = null'), 'p3', 'what is not seen is as good as absent');
  assert.equal(await idsOf(admin, 'posts', 'author.name = "Ghost"'), 'p3');
  assert.equal(await idsOf(guest, 'people', 'posts_via_author.n ?= 2'), '', 'the shut post cannot be probed');
  assert.equal(await idsOf(guest, 'people', 'posts_via_author.n ?= 1'), 'ann');
  assert.equal((await guest.get('/api/svc/posts/records?filter=locked_via_owner.id%20!%3D%20null')).status, 400);
});

test('what is wrong with a filter is told with its position, and nothing of ours shows', async () => {
  for (const [filter, position] of [
    ['n >> 1', 4],
    ['n = ', 5],
    ['(n = 1', 1],
    ["title = 'x' or 1=1", 13],
    ['n = 1; drop table data.posts', 6],
    ['@collection.people.id != ""', 1],
    ['@request.body.x = 1', 1],
    ['n = "abc"', 3],
  ] as const) {
    const answer = await filtered(guest, filter);
    assert.equal(answer.status, 400, `${filter}: ${answer.text}`);
    assert.match(answer.text, new RegExp(`at character ${position}\\b`), `${filter}: ${answer.text}`);
    assert.doesNotMatch(answer.text, /select |syntax error|at .*\.js/i);
  }
  assert.equal((await filtered(guest, `${'('.repeat(5000)}n=1`)).status, 400);
  assert.equal((await filtered(guest, 'title = "\' or true --"')).json()['totalItems'], 0);
});

test('the view rule judges each record, by hidden fields too, and what it hides is as good as absent', async () => {
  const seen = await guest.get('/api/svc/posts/records/p1');
  assert.equal(seen.status, 200);
  assert.equal('secret' in seen.json(), false);
  const absent = await guest.get('/api/svc/posts/records/nothing');
  for (const id of ['p2', 'p3']) {
    const answer = await guest.get(`/api/svc/posts/records/${id}`);
    assert.equal(answer.status, 404);
    assert.equal(answer.text, absent.text);
  }
  assert.equal((await admin.get('/api/svc/posts/records/p2')).status, 200);
});

test('the create rule judges the record that would be, and what it refuses is not stored', async () => {
  const post = (body: Json): Promise<HttpAnswer> => guest.post('/api/svc/posts/records', body);
  assert.equal((await post({ id: 'c1', title: 'x', n: 1 })).status, 201);
  assert.equal((await post({ id: 'c2', title: 'x', n: 10 })).status, 401);
  assert.equal((await post({ id: 'c3', n: 1 })).status, 401, 'the body must bring a title');
  for (const id of ['c2', 'c3']) assert.equal((await admin.get(`/api/svc/posts/records/${id}`)).status, 404);
  assert.equal((await admin.post('/api/svc/posts/records', { id: 'c4', n: 10 })).status, 201);
  for (const id of ['c1', 'c4']) await admin.delete(`/api/svc/posts/records/${id}`);
});

test('the update rule judges the record as it is and as it would be', async () => {
  const patch = (id: string, body: Json): Promise<HttpAnswer> => guest.patch(`/api/svc/posts/records/${id}`, body);
  assert.equal((await patch('p1', { title: 'new' })).status, 200);
  assert.equal((await patch('p2', { title: 'new' })).status, 404, 'it may not be touched as it is');
  assert.equal((await patch('p1', { status: 'shut' })).status, 401, 'it may not become what it would');
  assert.equal((await patch('p1', { n: 100 })).status, 401);
  assert.equal((await patch('p2', {})).status, 404, 'nor may one ask by changing nothing');
  const condition = { headers: { 'If-Match': '"0.0"' } };
  assert.equal((await guest.patch('/api/svc/posts/records/p2', { title: 'x' }, condition)).status, 404, 'the version of a hidden record is hidden');
  assert.deepEqual((await admin.get('/api/svc/posts/records/p1')).json()['status'], 'open');
});

test('the delete rule judges the record', async () => {
  await create('posts', { id: 'd1', status: 'open' });
  await create('posts', { id: 'd2', status: 'shut' });
  assert.equal((await guest.delete('/api/svc/posts/records/d2')).status, 404);
  assert.equal((await guest.delete('/api/svc/posts/records/d1')).status, 204);
  assert.equal((await admin.delete('/api/svc/posts/records/d2')).status, 204);
});

test('rules that ask other records are judged by the database, on every operation', async () => {
  const rule = 'team.name = "Red" && @collection.teams.name ?= "Red"';
  await make('teams', [{ name: 'name', type: 'text' }], {});
  const rules = { listRule: rule, viewRule: rule, createRule: rule, updateRule: rule, deleteRule: rule };
  await make(
    'players',
    [
      { name: 'n', type: 'number' },
      { name: 'team', type: 'relation', relationConfig: { targetSvc: 'teams', cardinality: '1:N' } },
    ],
    rules,
  );
  await create('teams', { id: 'red', name: 'Red' });
  await create('teams', { id: 'blue', name: 'Blue' });
  await create('players', { id: 'r', team: 'red' });
  await create('players', { id: 'b', team: 'blue' });
  assert.equal(await idsOf(guest, 'players', ''), 'r');
  assert.equal((await guest.get('/api/svc/players/records/r')).status, 200);
  assert.equal((await guest.get('/api/svc/players/records/b')).status, 404);
  assert.equal((await guest.post('/api/svc/players/records', { id: 'r2', team: 'red' })).status, 201);
  assert.equal((await guest.post('/api/svc/players/records', { id: 'b2', team: 'blue' })).status, 401);
  assert.equal((await admin.get('/api/svc/players/records/b2')).status, 404, 'what was refused is undone');
  assert.equal((await guest.patch('/api/svc/players/records/r', { n: 1 })).status, 200);
  assert.equal((await guest.patch('/api/svc/players/records/r', { team: 'blue' })).status, 401);
  assert.equal((await guest.patch('/api/svc/players/records/b', { n: 1 })).status, 404);
  assert.equal((await guest.delete('/api/svc/players/records/b')).status, 404);
  assert.equal((await guest.delete('/api/svc/players/records/r')).status, 204);
});

test('a rule is read when it is saved, against the fields of the same request', async () => {
  const saved = (rules: Json, fields: readonly Json[] = []): Promise<HttpAnswer> => admin.post('/api/svc', { name: 'saved', fields, rules });
  for (const listRule of ['nothing = 1', 'id = ', '@collection.nobody.id = id']) {
    const refused = await saved({ listRule });
    assert.equal(refused.status, 400, listRule);
    assert.match(refused.text, /"rules\.listRule":\{"code":"invalid_rule"/);
  }
  assert.equal((await saved({ listRule: 'mine = true' }, [{ name: 'mine', type: 'bool' }])).status, 201);
});

test('renames are followed by every rule that names what was renamed', async () => {
  await make('rooms', [{ name: 'size', type: 'number' }], { listRule: 'size > 1 // size in "size"' });
  const back = '@collection.rooms.size ?> 1 && room.size > 1 && @request.body.size:isset = false';
  await make('desks', [{ name: 'room', type: 'relation', relationConfig: { targetSvc: 'rooms', cardinality: '1:N' } }], { listRule: back });
  await admin.patch('/api/svc/rooms', { rules: { viewRule: 'desks_via_room.id ?!= ""' } });
  const { fields } = (await admin.get('/api/svc/rooms')).json<{ fields: readonly { id: string }[] }>();
  const renamed = await admin.patch('/api/svc/rooms', { name: 'halls', fields: [{ ...fields[0], name: 'area' }] });
  assert.equal(renamed.status, 200, renamed.text);
  assert.equal((renamed.json()['rules'] as Json)['listRule'], 'area > 1 // size in "size"');
  const desks = (await admin.get('/api/svc/desks')).json<{ rules: Json }>();
  assert.equal(desks.rules['listRule'], '@collection.halls.area ?> 1 && room.area > 1 && @request.body.size:isset = false');
  await admin.patch('/api/svc/desks', { name: 'tables' });
  assert.equal(((await admin.get('/api/svc/halls')).json()['rules'] as Json)['viewRule'], 'tables_via_room.id ?!= ""');
});

test('a change after which a rule could not be read is refused with 409 and names the rule', async () => {
  await make('shelves', [{ name: 'width', type: 'number' }], { listRule: 'width > 1' });
  await make('boxes', [{ name: 'shelf', type: 'relation', relationConfig: { targetSvc: 'shelves', cardinality: '1:N' } }], {
    viewRule: 'shelf.width > 1',
  });
  const refused = await admin.patch('/api/svc/shelves', { fields: [] });
  assert.equal(refused.status, 409, refused.text);
  assert.match(refused.text, /listRule of shelves/);
  assert.match(refused.text, /viewRule of boxes/);
  const retyped = await admin.patch('/api/svc/shelves', { fields: [{ name: 'width', type: 'bool' }], rules: { listRule: '' } });
  assert.equal(retyped.status, 409, 'width > 1 means nothing of a bool');
  await admin.patch('/api/svc/boxes', { rules: { viewRule: null } });
  assert.equal((await admin.patch('/api/svc/shelves', { fields: [], rules: { listRule: null } })).status, 200);
  await make('watchers', [], { listRule: '@collection.shelves.id ?!= ""' });
  await admin.patch('/api/svc/boxes', { fields: [] });
  const dropped = await admin.delete('/api/svc/shelves');
  assert.equal(dropped.status, 409, dropped.text);
  assert.match(dropped.text, /listRule of watchers/);
});

test('many different filters are answered, and the ordinary list is no slower to find its statement', async () => {
  for (let index = 0; index < 600; index += 1) {
    const answer = await filtered(guest, `n = ${index} || title = "t${index}"`);
    assert.equal(answer.status, 200);
  }
  assert.equal(await idsOf(guest, 'posts', ''), 'p1 p3');
});

test('a rule reads the headers of the request, their names in lower case with _ for -', async () => {
  await make('keyed', [{ name: 'word', type: 'text' }], { viewRule: '@request.headers.x_word = word && @request.headers.x_list = "a, b"' });
  await create('keyed', { id: 'k1', word: 'please' });
  const path = '/api/svc/keyed/records/k1';
  const view = async (headers: Record<string, string>): Promise<number> => (await guest.get(path, { headers })).status;

  assert.equal(await view({ 'X-Word': 'please', 'x-list': 'a, b' }), 200);
  assert.equal(await view({ 'X-Word': 'now', 'x-list': 'a, b' }), 404);
  assert.equal(await view({}), 404);
});

test('what a request changes is told by the record as it was, before the change and after it', async () => {
  // The second rule asks for other rows, so the database judges it.
  for (const [name, also] of [
    ['steady', ''],
    ['steadyasked', ' && @collection.people.name ?= "Ann"'],
  ] as const) {
    await make(
      name,
      [
        { name: 'kind', type: 'text' },
        { name: 'note', type: 'text' },
      ],
      { updateRule: `@request.body.kind:changed = false${also}` },
    );
    await make(
      `${name}moving`,
      [
        { name: 'kind', type: 'text' },
        { name: 'note', type: 'text' },
      ],
      { updateRule: `@request.body.kind:changed = true${also}` },
    );
    await create(name, { id: 'r', kind: 'a', note: 'n' });
    await create(`${name}moving`, { id: 'r', kind: 'a', note: 'n' });
    const change = async (collection: string, body: Json): Promise<number> => (await guest.patch(`/api/svc/${collection}/records/r`, body)).status;

    assert.equal(await change(name, { note: 'm' }), 200);
    assert.equal(await change(name, { note: 'o', kind: 'a' }), 200);
    assert.equal(await change(name, { kind: 'b' }), 404);
    assert.equal(await change(`${name}moving`, { note: 'm' }), 404);
    assert.equal(await change(`${name}moving`, { kind: 'b', note: 'm' }), 200);
  }
});
