import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startCluster, type Cluster } from '../support/cluster.ts';
import type { HttpClient } from '../support/http.ts';

type Json = Record<string, unknown>;

let cluster: Cluster;
let admin: HttpClient;
let guest: HttpClient;

const open = { listRule: '', viewRule: '', createRule: '', updateRule: '', deleteRule: '' };

before(async () => {
  cluster = await startCluster();
  admin = cluster.client();
  guest = cluster.guest();
  await make('authors', [{ name: 'name', type: 'text', required: true }]);
  await make('books', [
    { name: 'title', type: 'text', required: true, min: 2, max: 40, pattern: '^[A-Z]' },
    { name: 'pages', type: 'number', integer: true, min: 1, max: 9999 },
    { name: 'price', type: 'number' },
    { name: 'inPrint', type: 'bool', default: true },
    { name: 'contact', type: 'email' },
    { name: 'site', type: 'url' },
    { name: 'published', type: 'date' },
    { name: 'soldAt', type: 'datetime' },
    { name: 'extra', type: 'json' },
    { name: 'genre', type: 'select', options: ['fiction', 'science'] },
    { name: 'tags', type: 'select', options: ['new', 'used', 'rare'], maxSelect: 3 },
    { name: 'author', type: 'relation', relationConfig: { targetSvc: 'authors', cardinality: '1:N' } },
    { name: 'readers', type: 'relation', relationConfig: { targetSvc: 'authors', cardinality: 'M:N' } },
    { name: 'isbn', type: 'text', unique: true },
    { name: 'notes', type: 'text', hidden: true },
  ]);
});

after(() => cluster.close());

async function make(name: string, fields: readonly Json[], rules: Json = open): Promise<Json> {
  const made = await admin.post('/api/svc', { name, type: 'base', fields, rules });
  assert.equal(made.status, 201, made.text);
  return made.json();
}

async function create(collection: string, body: Json): Promise<Json & { id: string }> {
  const made = await admin.post(`/api/svc/${collection}/records`, body);
  assert.equal(made.status, 201, made.text);
  return made.json();
}

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('a record with every kind of value reads back as it was written, in normal form', async () => {
  const author = await create('authors', { name: 'Ada' });
  const reader = await create('authors', { name: 'Bob' });

  const made = await create('books', {
    title: 'Zoë & "quotes" \\ 日本',
    pages: '120',
    price: 9.75,
    inPrint: 'false',
    contact: 'Ada@Example.com',
    site: 'https://example.com/a?b=c',
    published: '2024-02-29',
    soldAt: '2024-03-01T01:30:00+02:00',
    extra: { deep: [1, { a: null }], text: 'x' },
    genre: 'fiction',
    tags: ['rare', 'new'],
    author: author.id,
    readers: [reader.id, author.id],
    isbn: 'i-1',
    notes: 'secret',
  });
  const read = (await admin.get(`/api/svc/books/records/${made.id}`)).json();

  assert.deepEqual(read, made);
  assert.match(String(made['created_at']), timePattern);
  assert.equal(made['updated_at'], made['created_at']);
  const { id, created_at, updated_at, ...values } = made;
  assert.ok(id && created_at && updated_at);
  assert.deepEqual(values, {
    title: 'Zoë & "quotes" \\ 日本',
    pages: 120,
    price: 9.75,
    inPrint: false,
    contact: values['contact'],
    site: 'https://example.com/a?b=c',
    published: '2024-02-29',
    soldAt: '2024-02-29T23:30:00.000Z',
    extra: { deep: [1, { a: null }], text: 'x' },
    genre: 'fiction',
    tags: ['rare', 'new'],
    author: author.id,
    readers: [reader.id, author.id],
    isbn: 'i-1',
    notes: 'secret',
  });
});

test('absent values are null, lists are empty, defaults are filled in', async () => {
  const { id: _id, created_at: _created, updated_at: _updated, ...values } = await create('books', { title: 'Bare' });

  assert.deepEqual(values, {
    title: 'Bare',
    pages: null,
    price: null,
    inPrint: true,
    contact: null,
    site: null,
    published: null,
    soldAt: null,
    extra: null,
    genre: null,
    tags: [],
    author: null,
    readers: [],
    isbn: null,
    notes: null,
  });
});

test('json is kept exactly: digits, order and escapes', async () => {
  const text = '{"title":"Json","extra": {"z":1.0, "big":12345678901234567890, "a":[ 1e2 ],"s":"\\u00e9\\n"} }';

  const made = await admin.post('/api/svc/books/records', text);

  assert.equal(made.status, 201);
  assert.ok(made.text.includes('"extra":{"z":1.0,"big":12345678901234567890,"a":[1e2],"s":"\\u00e9\\n"}'), made.text);
  const { id } = made.json<{ id: string }>();
  assert.equal((await admin.get(`/api/svc/books/records/${id}`)).text, made.text);
});

test('hidden fields are shown to the administrator and to nobody else', async () => {
  const made = await guest.post('/api/svc/books/records', { title: 'Hidden', notes: 'secret' });
  const { id } = made.json<{ id: string }>();

  const asGuest = await guest.get(`/api/svc/books/records/${id}`);
  const asAdmin = await admin.get(`/api/svc/books/records/${id}`);
  const listed = await guest.get('/api/svc/books/records?perPage=500');

  for (const answer of [made, asGuest, listed]) assert.ok(!answer.text.includes('notes'), answer.text);
  assert.equal(asAdmin.json()['notes'], 'secret');
  assert.equal((await guest.get(`/api/svc/books/records/${id}?fields=notes`)).status, 400);
  assert.equal((await guest.get('/api/svc/books/records?sort=notes')).status, 400);
  assert.equal((await admin.get(`/api/svc/books/records/${id}?fields=notes`)).text, '{"notes":"secret"}');
});

const refusals: readonly (readonly [string, Json, Record<string, string>])[] = [
  ['a missing required value', { pages: 1 }, { title: 'required' }],
  ['a blank required value', { title: '  ' }, { title: 'required' }],
  ['a null required value', { title: null }, { title: 'required' }],
  ['text that is too short', { title: 'A' }, { title: 'too_short' }],
  ['text that is too long', { title: 'A'.repeat(41) }, { title: 'too_long' }],
  ['text that misses the pattern', { title: 'lower' }, { title: 'pattern_mismatch' }],
  ['text of another type', { title: 5 }, { title: 'invalid_type' }],
  ['a number that is none', { title: 'Ok', pages: 'many' }, { pages: 'invalid_type' }],
  ['a fraction where whole numbers are', { title: 'Ok', pages: 1.5 }, { pages: 'invalid_type' }],
  ['a number below the minimum', { title: 'Ok', pages: 0 }, { pages: 'too_small' }],
  ['a number above the maximum', { title: 'Ok', pages: 10_000 }, { pages: 'too_large' }],
  ['a bool that is none', { title: 'Ok', inPrint: 'maybe' }, { inPrint: 'invalid_type' }],
  ['an address without an at sign', { title: 'Ok', contact: 'nobody' }, { contact: 'invalid_type' }],
  ['a link of another scheme', { title: 'Ok', site: 'javascript:alert(1)' }, { site: 'invalid_type' }],
  ['a day that is not in the calendar', { title: 'Ok', published: '2023-02-29' }, { published: 'invalid_type' }],
  ['a time without an offset', { title: 'Ok', soldAt: '2023-02-28T10:00:00' }, { soldAt: 'invalid_type' }],
  ['an option that is none', { title: 'Ok', genre: 'poetry' }, { genre: 'not_an_option' }],
  ['a list with an option that is none', { title: 'Ok', tags: ['new', 'old'] }, { tags: 'not_an_option' }],
  ['a relation to nothing', { title: 'Ok', author: 'nobody' }, { author: 'relation_not_found' }],
  ['a list of relations with one to nothing', { title: 'Ok', readers: ['nobody'] }, { readers: 'relation_not_found' }],
  ['several faults at once', { title: 'a', pages: -1, genre: 'x' }, { title: 'too_short', pages: 'too_small', genre: 'not_an_option' }],
];

for (const [what, body, faults] of refusals) {
  test(`${what} is refused, naming the field, and nothing is stored`, async () => {
    const stored = (await admin.get('/api/svc/books/records?total=exact&perPage=1')).json()['totalItems'];

    const answer = await admin.post('/api/svc/books/records', body);

    assert.equal(answer.status, 400, answer.text);
    const problem = answer.json<{ code: number; message: string; data: Record<string, { code: string; message: string }> }>();
    assert.equal(problem.code, 400);
    assert.deepEqual(Object.fromEntries(Object.entries(problem.data).map(([field, fault]) => [field, fault.code])), faults);
    for (const fault of Object.values(problem.data)) assert.match(fault.message, /^[A-Z].*\.$/);
    assert.equal((await admin.get('/api/svc/books/records?total=exact&perPage=1')).json()['totalItems'], stored);
  });
}

test('a value that must be unique is refused the second time, naming the field', async () => {
  await create('books', { title: 'First', isbn: 'same' });

  const second = await admin.post('/api/svc/books/records', { title: 'Second', isbn: 'same' });

  assert.equal(second.status, 400);
  assert.deepEqual(second.json()['data'], { isbn: { code: 'not_unique', message: 'Another record has this value already.' } });
});

test('an id may be given, once, and only in its alphabet', async () => {
  const id = `Given_id-${'x'.repeat(50)}`;

  assert.equal((await create('authors', { id, name: 'Given' })).id, id);
  assert.equal((await admin.post('/api/svc/authors/records', { id, name: 'Again' })).status, 409);
  for (const bad of ['a/b', 'ä', ' ', 'x'.repeat(65), 5, {}]) {
    const answer = await admin.post('/api/svc/authors/records', { id: bad, name: 'Bad' });
    assert.equal(answer.status, 400, JSON.stringify(bad));
    assert.equal(answer.json<{ data: Json }>().data['id'] !== undefined, true);
  }
});

test('an update changes what it names and nothing else', async () => {
  const made = await create('books', { title: 'Before', pages: 10, tags: ['new'], notes: 'n', extra: { big: 1 } });

  const changed = await admin.patch(`/api/svc/books/records/${made.id}`, { pages: 11, unknown: 1, tags: [] });

  assert.equal(changed.status, 200, changed.text);
  const now = changed.json();
  assert.deepEqual({ ...now, updated_at: made['updated_at'] }, { ...made, pages: 11, tags: [] });
  assert.deepEqual((await admin.get(`/api/svc/books/records/${made.id}`)).json(), now);
});

test('an update that changes nothing leaves the record as it was, its version too', async () => {
  const made = await admin.post('/api/svc/books/records', { title: 'Same', pages: 3, price: 1.5, extra: { a: [1] } });
  const { id } = made.json<{ id: string }>();

  const again = await admin.patch(`/api/svc/books/records/${id}`, { title: 'Same', pages: '3', price: 1.5, extra: { a: [1] } });

  assert.equal(again.text, made.text);
  assert.equal(again.headers.get('etag'), made.headers.get('etag'));
});

test('an update refuses what a create would, and another id', async () => {
  const made = await create('books', { title: 'Checked' });

  const bad = await admin.patch(`/api/svc/books/records/${made.id}`, { title: null, pages: 'x' });
  const moved = await admin.patch(`/api/svc/books/records/${made.id}`, { id: 'other' });

  assert.equal(bad.status, 400);
  assert.deepEqual(Object.keys(bad.json<{ data: Json }>().data).toSorted(), ['pages', 'title']);
  assert.equal(moved.status, 400);
  assert.deepEqual((await admin.get(`/api/svc/books/records/${made.id}`)).json(), made);
});

test('a deleted record is gone', async () => {
  const made = await create('authors', { name: 'Gone' });

  const first = await admin.delete(`/api/svc/authors/records/${made.id}`);
  const second = await admin.delete(`/api/svc/authors/records/${made.id}`);

  assert.deepEqual([first.status, first.text, second.status], [204, '', 404]);
  assert.equal((await admin.get(`/api/svc/authors/records/${made.id}`)).status, 404);
});

test('lists page through all records without overlap, newest first', async () => {
  await make('numbers', [
    { name: 'n', type: 'number' },
    { name: 'word', type: 'text' },
  ]);
  for (let n = 0; n < 25; n += 1) await create('numbers', { n: n % 7, word: `w${n % 3}` });

  const pages = await Promise.all([1, 2, 3, 4].map((page) => admin.get(`/api/svc/numbers/records?page=${page}&perPage=10`)));
  const envelopes = pages.map((page) =>
    page.json<{ items: (Json & { id: string; created_at: string })[]; totalItems: number; nextCursor: string | null }>(),
  );
  const items = envelopes.flatMap((envelope) => envelope.items);

  assert.deepEqual(
    envelopes.map((envelope) => envelope.items.length),
    [10, 10, 5, 0],
  );
  assert.equal(new Set(items.map((item) => item.id)).size, 25);
  assert.deepEqual(
    items,
    items.toSorted((a, b) => (b.created_at + b.id < a.created_at + a.id ? -1 : 1)),
  );
  const { items: _items, nextCursor, ...first } = envelopes[0] ?? { items: [], nextCursor: null };
  assert.deepEqual(first, { page: 1, perPage: 10, totalItems: 25, totalPages: 3, prevCursor: null });
  assert.equal(typeof nextCursor, 'string');
});

test('lists sort by several keys, settled by id', async () => {
  const sorted = await admin.get('/api/svc/numbers/records?sort=word,-n&perPage=500');

  const items = sorted.json<{ items: { word: string; n: number; id: string }[] }>().items;
  const key = (item: { word: string; n: number; id: string }) => `${item.word} ${String(99 - item.n).padStart(3, '0')}`;
  assert.deepEqual(items.map(key), items.map(key).toSorted());
});

test('lists project fields and leave totals out when asked', async () => {
  const answer = await admin.get('/api/svc/numbers/records?fields=n,id&perPage=2&total=none');

  const { items, nextCursor, ...envelope } = answer.json<{ items: Json[]; nextCursor: string | null }>();
  assert.deepEqual(
    items.map((item) => Object.keys(item)),
    [
      ['n', 'id'],
      ['n', 'id'],
    ],
  );
  assert.deepEqual(envelope, { page: 1, perPage: 2, totalItems: -1, totalPages: -1, prevCursor: null });
  assert.equal(typeof nextCursor, 'string');
});

for (const query of [
  'page=0',
  'perPage=-1',
  'page=x',
  'sort=nope',
  'sort=n%27--',
  'fields=nope',
  'page=9007199254740991&perPage=500',
  'sort=n;drop table',
  'total=some',
]) {
  test(`the list query ${query} is refused as a bad query`, async () => {
    const answer = await admin.get(`/api/svc/numbers/records?${query.replaceAll(' ', '%20')}`);

    assert.equal(answer.status, 400, answer.text);
    assert.match(String(answer.json()['message']), /^The query parameter/);
  });
}

test('a locked rule keeps guests out and lets the administrator in', async () => {
  await make('locked', [{ name: 'n', type: 'number' }], {});
  const { id } = await create('locked', { n: 1 });

  const asGuest = [
    await guest.get('/api/svc/locked/records'),
    await guest.get(`/api/svc/locked/records/${id}`),
    await guest.post('/api/svc/locked/records', { n: 2 }),
    await guest.patch(`/api/svc/locked/records/${id}`, { n: 2 }),
    await guest.delete(`/api/svc/locked/records/${id}`),
  ];

  assert.deepEqual(
    asGuest.map((answer) => answer.status),
    [401, 401, 401, 401, 401],
  );
  assert.equal((await admin.get(`/api/svc/locked/records/${id}`)).json()['n'], 1);
});
