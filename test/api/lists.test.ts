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
const to = (targetSvc: string, cardinality = '1:N'): Json => ({ type: 'relation', relationConfig: { targetSvc, cardinality } });

before(async () => {
  cluster = await startCluster();
  admin = cluster.client();
  guest = cluster.guest();
  database = new pg.Client(cluster.database.url);
  await database.connect();
  await make(
    'teams',
    [
      { name: 'name', type: 'text' },
      { name: 'budget', type: 'number', hidden: true },
    ],
    open,
  );
  await make(
    'locked',
    [
      { name: 'name', type: 'text' },
      { name: 'post', type: 'text' },
    ],
    {},
  );
  await make('tags', [{ name: 'name', type: 'text' }], { ...open, viewRule: 'name != "secret"' });
  await make(
    'authors',
    [
      { name: 'name', type: 'text' },
      { name: 'team', ...to('teams') },
      { name: 'desk', ...to('locked') },
    ],
    { ...open, viewRule: 'name != "ghost"' },
  );
  const posts = [
    { name: 'title', type: 'text' },
    { name: 'secret', type: 'text', hidden: true },
    { name: 'n', type: 'number' },
    { name: 'meta', type: 'json' },
    { name: 'author', ...to('authors') },
    { name: 'cover', ...to('tags', '1:1') },
    { name: 'tags', ...to('tags', 'M:N') },
    { name: 'reviewer', ...to('authors'), hidden: true },
  ];
  await make('posts', posts, { ...open, indexes: undefined });
  await make(
    'comments',
    [
      { name: 'text', type: 'text' },
      { name: 'post', ...to('posts') },
    ],
    open,
  );
  await make('notes', [{ name: 'post', ...to('posts') }], {});
  await fill();
});

after(async () => {
  await database.end();
  await cluster.close();
});

async function make(name: string, fields: readonly unknown[], { indexes: _, ...rules }: Json): Promise<void> {
  const made = await admin.post('/api/svc', { name, fields, rules });
  assert.equal(made.status, 201, made.text);
}

async function fill(): Promise<void> {
  const rows: readonly (readonly [string, Json])[] = [
    ['locked', { id: 'd1', name: 'desk' }],
    ['teams', { id: 'red', name: 'red', budget: 2 }],
    ['teams', { id: 'blue', name: 'blue', budget: 1 }],
    ['tags', { id: 'x', name: 'x' }],
    ['tags', { id: 's', name: 'secret' }],
    ['tags', { id: 'y', name: 'y' }],
    ['authors', { id: 'zoe', name: 'zoe', team: 'red', desk: 'd1' }],
    ['authors', { id: 'adam', name: 'adam', team: 'blue' }],
    ['authors', { id: 'ghost', name: 'ghost', team: 'red' }],
    [
      'posts',
      {
        id: 'p0',
        title: 'The quick fox',
        n: 0,
        author: 'zoe',
        cover: 'x',
        tags: ['y', 's', 'x'],
        secret: 'tulip',
        reviewer: 'adam',
        meta: { a: { b: 1, c: 2 } },
      },
    ],
    ['posts', { id: 'p1', title: 'A slow fox', n: 1, author: 'adam', cover: 'y', tags: [] }],
    ['posts', { id: 'p2', title: 'Nothing at all', n: 2, author: 'ghost', tags: ['s'] }],
    ['posts', { id: 'p3', title: null, n: null }],
    ['comments', { id: 'c1', text: 'first', post: 'p0' }],
    ['comments', { id: 'c2', text: 'second', post: 'p0' }],
    ['notes', { id: 'n1', post: 'p0' }],
  ];
  for (const [collection, body] of rows) assert.equal((await admin.post(`/api/svc/${collection}/records`, body)).status, 201, JSON.stringify(body));
}

const posts = (query: string, client = guest): Promise<HttpAnswer> => client.get(`/api/svc/posts/records${query}`);

/** The ids in an answer, at any depth, as an object of the same form. */
function outline(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(outline);
  if (typeof value !== 'object' || value === null) return value;
  const { id, expand } = value as Json;
  return expand === undefined ? id : [id, Object.fromEntries(Object.entries(expand as Json).map(([name, inner]) => [name, outline(inner)]))];
}

test('expand shows the records that relations lead to, forwards and back, as far as their view rule allows', async () => {
  const expand = 'author.team,author.desk,cover,tags,comments_via_post.post.author';
  assert.deepEqual(outline((await posts(`/p0?expand=${expand}`)).json()), [
    'p0',
    {
      author: ['zoe', { team: 'red' }],
      cover: 'x',
      tags: ['y', 'x'],
      comments_via_post: [
        ['c1', { post: ['p0', { author: 'zoe' }] }],
        ['c2', { post: ['p0', { author: 'zoe' }] }],
      ],
    },
  ]);
  assert.deepEqual(outline((await posts(`/p2?expand=${expand}`)).json()), ['p2', { tags: [], comments_via_post: [] }]);
  assert.deepEqual(outline((await posts(`/p3?expand=author,tags`)).json()), ['p3', { tags: [] }]);
  assert.deepEqual(outline((await posts('/p0?expand=author.desk,tags,reviewer,notes_via_post', admin)).json()), [
    'p0',
    { author: ['zoe', { desk: 'd1' }], tags: ['y', 's', 'x'], reviewer: 'adam', notes_via_post: ['n1'] },
  ]);
  assert.deepEqual(outline((await guest.get('/api/svc/tags/records/x?expand=posts_via_tags,posts_via_cover.author')).json()), [
    'x',
    { posts_via_tags: ['p0'], posts_via_cover: ['p0', { author: 'zoe' }] },
  ]);
});

test('a list expands every record like a view, and create and update answer so too', async () => {
  const items = (await posts('?expand=author,tags&sort=n')).json<{ items: readonly unknown[] }>().items;
  assert.deepEqual(items.map(outline), [
    ['p0', { author: 'zoe', tags: ['y', 'x'] }],
    ['p1', { author: 'adam', tags: [] }],
    ['p2', { tags: [] }],
    ['p3', { tags: [] }],
  ]);
  const made = await guest.post('/api/svc/posts/records?expand=author&fields=id,expand.author.name', { id: 'new', author: 'zoe' });
  assert.deepEqual([made.status, made.json()], [201, { id: 'new', expand: { author: { name: 'zoe' } } }]);
  assert.equal(made.headers.get('etag'), null);
  const changed = await guest.patch('/api/svc/posts/records/new?expand=author.team', { author: 'adam' });
  assert.deepEqual(outline(changed.json()), ['new', { author: ['adam', { team: 'blue' }] }]);
  const refused = await guest.patch('/api/svc/posts/records/new?expand=nothing', { title: 'changed' });
  assert.equal(refused.status, 400);
  assert.equal((await posts('/new')).json()['title'], null, 'nothing was changed');
  await guest.delete('/api/svc/posts/records/new');
});

test('however many records are expanded, the number of statements is the same', async () => {
  const statements = async (): Promise<number> => {
    const metrics = (await cluster.metrics('store')) ?? [];
    const expanding = metrics.flatMap(({ values }) => values).filter(({ labels }) => String(labels['label']).startsWith('records.expand.'));
    return expanding.reduce((sum, { value }) => sum + value, 0);
  };
  const cost = async (query: string): Promise<number> => {
    const start = await statements();
    assert.equal((await posts(query)).status, 200);
    return (await statements()) - start;
  };
  const few = await cost('?perPage=1&sort=n&expand=author.team,tags,comments_via_post');
  const many = await cost('?perPage=4&sort=n&expand=author.team,tags,comments_via_post');
  assert.equal(few, 4);
  assert.equal(many, 4);
});

test('fields choose members at every level', async () => {
  const shown = async (query: string): Promise<unknown> => (await posts(query)).json();
  assert.deepEqual(await shown('/p0?fields=id,title'), { id: 'p0', title: 'The quick fox' });
  assert.deepEqual(await shown('/p0?fields=id,expand.author.name,expand.tags.id&expand=author.team,tags,cover'), {
    id: 'p0',
    expand: { author: { name: 'zoe' }, tags: [{ id: 'y' }, { id: 'x' }] },
  });
  assert.deepEqual(await shown('/p0?fields=id,expand.author.expand.team.name&expand=author.team'), {
    id: 'p0',
    expand: { author: { expand: { team: { name: 'red' } } } },
  });
  assert.deepEqual(await shown('/p0?fields=id&expand=author'), { id: 'p0' });
  assert.deepEqual(await shown('/p0?fields=meta.a.b,id'), { meta: { a: { b: 1 } }, id: 'p0' });
  assert.deepEqual(Object.keys((await shown('/p0?fields=*,expand.author.id&expand=author')) as Json).includes('title'), true);
  assert.equal((await posts('/p0?fields=id')).headers.get('etag'), null);
});

test('a sort goes through relations to one, and never shows the order of what the caller must not see', async () => {
  const sorted = async (sort: string, client = guest): Promise<string> =>
    (await posts(`?sort=${sort}&fields=id`, client))
      .json<{ items: readonly Json[] }>()
      .items.map(({ id }) => id)
      .join();
  assert.equal(await sorted('author.name'), 'p1,p0,p2,p3');
  assert.equal(await sorted('author.name', admin), 'p1,p2,p0,p3');
  assert.equal(await sorted('-author.team.name,n', admin), 'p3,p0,p2,p1');
  assert.equal(await sorted('author.team.budget,id', admin), 'p1,p0,p2,p3');
  for (const sort of [
    'author.team.budget',
    'reviewer.name',
    'secret',
    'author.desk.name',
    'tags.name',
    'comments_via_post.text',
    'meta',
    'tags',
    'author.',
    '.',
    'author..name',
    '__proto__',
    'constructor.name',
  ]) {
    assert.equal((await posts(`?sort=${sort}`)).status, 400, sort);
  }
});

test('a search finds words in the visible text fields, soon by an index, and nothing else', async () => {
  const found = async (search: string, rest = ''): Promise<string> =>
    (await posts(`?search=${encodeURIComponent(search)}&sort=n&fields=id${rest}`, rest === '' ? guest : admin))
      .json<{ items: readonly Json[] }>()
      .items.map(({ id }) => id)
      .join();
  const expected: readonly (readonly [string, string])[] = [
    ['fox', 'p0,p1'],
    ['FOX quick', 'p0'],
    ['"slow fox"', 'p1'],
    ['fox -slow', 'p0'],
    ['nothing or quick', 'p0,p2'],
    ['tulip', ''],
    ["' or 1=1 --", ''],
    ['!!! & | ( :*', ''],
    ['🦊', ''],
  ];
  for (const [search, ids] of expected) assert.equal(await found(search), ids, search);
  assert.equal(await found('fox', '&filter=n%3D1'), 'p1');
  const indexes = async (): Promise<number> =>
    Number(
      (
        await database.query<{ count: string }>(
          `select count(*) from pg_indexes join pg_class on relname = indexname join pg_index on indexrelid = pg_class.oid where indexname like 'fts_%' and indisvalid`,
        )
      ).rows[0]?.count,
    );
  await until('the index of posts stands', async () => (await indexes()) === 1);
  for (const [search, ids] of expected) assert.equal(await found(search), ids, `${search}, by the index`);
  const changed = await admin.patch('/api/svc/teams', {
    fields: [
      { name: 'name', type: 'text' },
      { name: 'budget', type: 'number', hidden: true },
      { name: 'more', type: 'text' },
    ],
  });
  assert.equal(changed.status, 200, changed.text);
  await guest.get('/api/svc/teams/records?search=red');
  await until('the index of teams stands', async () => (await indexes()) === 2);
  const retyped = await admin.patch('/api/svc/teams', {
    fields: [
      { name: 'name', type: 'text' },
      { name: 'budget', type: 'number', hidden: true },
      { name: 'more', type: 'number' },
    ],
  });
  assert.equal(retyped.status, 200, retyped.text);
  assert.equal((await guest.get('/api/svc/teams/records?search=red')).json()['totalItems'], 1);
});

test('a cursor that was changed, or belongs to another list or somebody else’s key, is refused', async () => {
  const { nextCursor } = (await posts('?perPage=2&sort=n')).json<{ nextCursor: string }>();
  assert.equal((await posts(`?perPage=2&sort=n&cursor=${nextCursor}`)).status, 200);
  const content = Buffer.from(nextCursor, 'base64url');
  const altered = Buffer.from(content);
  altered[altered.length - 3] = (altered.at(-3) ?? 0) ^ 1;
  const refused = [
    `?perPage=2&sort=-n&cursor=${nextCursor}`,
    `?perPage=2&cursor=${nextCursor}`,
    `?perPage=2&sort=n&filter=n%3E0&cursor=${nextCursor}`,
    `?perPage=2&sort=n&search=fox&cursor=${nextCursor}`,
    `?perPage=2&sort=n&page=1&cursor=${nextCursor}`,
    `?perPage=2&sort=n&cursor=${altered.toString('base64url')}`,
    `?perPage=2&sort=n&cursor=${nextCursor}A`,
    `?perPage=2&sort=n&cursor=${Buffer.from('[1,"0","p0"]').toString('base64url')}`,
    `?perPage=2&sort=n&cursor=%27%20or%201%3D1`,
    `?perPage=2&sort=n&cursor=${'A'.repeat(5000)}`,
  ];
  for (const query of refused) {
    const answer = await posts(query);
    assert.equal(answer.status, 400, query);
    assert.match(answer.text, /cursor/);
  }
  assert.equal((await guest.get(`/api/svc/comments/records?sort=n&cursor=${nextCursor}`)).status, 400);
});

test('what is no path to expand or to show is refused, and a name that the caller must not know is as good as none', async () => {
  const name = (field: string): string => `expand=${encodeURIComponent(field)}`;
  for (const query of [
    name('title'),
    name('author.name'),
    name('nothing'),
    name('reviewer'),
    name('notes_via_post'),
    name('comments_via_text'),
    name('comments_via_'),
    name('_via_post'),
    name('authors_via_team'),
    name('__proto__'),
    name('constructor'),
    name("author' or 1=1"),
    name(Array.from({ length: 7 }, () => 'author').join('.')),
    name(Array.from({ length: 51 }, (_, index) => `a${index}`).join()),
    'fields=nothing',
    'fields=secret',
    'fields=expand.author.nothing&expand=author',
    `fields=${Array.from({ length: 30 }, () => 'meta').join('.')}`,
    'expand=author&expand=tags',
  ]) {
    const answer = await posts(`?${query}`);
    assert.equal(answer.status, 400, `${query}: ${answer.text}`);
  }
});

test('an expand into a collection whose table is locked waits for it, apart from others', async () => {
  const locker = new pg.Client(cluster.database.url);
  await locker.connect();
  await locker.query('begin');
  await locker.query('lock table data.authors in access exclusive mode');
  const waiting = posts('/p0?expand=author');
  assert.equal((await posts('/p0')).status, 200);
  await until('the expand waits for the lock', async () => {
    const { rows } = await database.query("select from pg_stat_activity where wait_event_type = 'Lock' and query like '%records.expand%'");
    return rows.length > 0;
  });
  await new Promise((resolve) => setImmediate(resolve));
  await locker.query('commit');
  await locker.end();
  assert.equal((await waiting).status, 200);
});
