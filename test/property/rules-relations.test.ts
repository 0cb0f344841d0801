import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { allOf, bindParameters, check, parse, toSql, type RequestValues } from '../../store/rules/index.ts';
import { openStore, type TestStore } from '../support/store.ts';

// What the predicate leaves to the database, asked of a small world whose answers are plain to see.

let store: TestStore;
let client: pg.Client;

const guest: RequestValues = { auth: null, body: {}, query: {}, headers: {}, method: 'GET', context: 'default' };
const ann: RequestValues = { ...guest, auth: { id: 'ann', team: 'red' } };

before(async () => {
  store = await openStore();
  client = new pg.Client(store.database.url);
  await client.connect();
  const to = (targetSvc: string, cardinality = '1:N') => ({ type: 'relation', relationConfig: { targetSvc, cardinality } });
  await store.collection('teams', [{ name: 'name', type: 'text' }]);
  await store.collection('users', [
    { name: 'name', type: 'text' },
    { name: 'team', ...to('teams') },
  ]);
  await store.collection('posts', [
    { name: 'title', type: 'text' },
    { name: 'author', ...to('users') },
    { name: 'editors', ...to('users', 'M:N') },
    { name: 'lon', type: 'number' },
    { name: 'at', type: 'datetime' },
  ]);
  await store.collection('comments', [
    { name: 'post', ...to('posts') },
    { name: 'text', type: 'text' },
    { name: 'likes', type: 'number' },
  ]);
  await store.create('teams', { id: 'red', name: 'Red' });
  await store.create('users', { id: 'ann', name: 'Ann', team: 'red' });
  await store.create('users', { id: 'bob', name: 'Bob' });
  await store.create('posts', { id: 'p1', title: 'one', author: 'ann', editors: ['ann', 'bob'], lon: 0, at: '2026-01-31T23:00:00Z' });
  await store.create('posts', { id: 'p2', title: 'two', author: 'bob', editors: ['bob'], lon: 90 });
  await store.create('posts', { id: 'p3', title: 'three' });
  await store.create('comments', { post: 'p1', text: 'good', likes: 1 });
  await store.create('comments', { post: 'p1', text: 'bad', likes: 9 });
  await store.create('comments', { post: 'p2', text: 'good', likes: 9 });
});

after(async () => {
  await client.end();
  await store.close();
});

const answers: readonly (readonly [string, string])[] = [
  ['author.name = "Ann"', 'p1'],
  ['author.name != "Ann"', 'p2 p3'],
  ['author.team.name = null', 'p2 p3'],
  ['author.team.name = "Red" && author.name = "Ann"', 'p1'],
  ['editors.name ?= "Bob"', 'p1 p2'],
  ['editors.name = "Bob"', 'p2'],
  ['editors.name != "Ann"', 'p2 p3'],
  ['editors ?= "ann" && editors ?= "bob"', 'p1'],
  ['editors:length > 1', 'p1'],
  ['editors.posts_via_author.title ?= "one"', 'p1'],
  ['editors.posts_via_editors.title ?= "two"', 'p1 p2'],
  ['comments_via_post.text ?= "good" && comments_via_post.likes ?> 5', 'p2'],
  ['comments_via_post.text ?= "good" && (comments_via_post.likes ?> 5 || title = "one")', 'p1 p2'],
  ['comments_via_post.likes > 5', 'p2'],
  ['comments_via_post.text = null', 'p3'],
  ['comments_via_post.id ?= ""', 'p3'],
  ['@collection.comments.post ?= id && @collection.comments.text ?= "bad"', 'p1'],
  ['@collection.comments.text ?= "good" && @collection.comments.likes ?= 1', 'p1 p2 p3'],
  ['@collection.comments:a.text ?= "bad" && @collection.comments:a.likes ?= 1', ''],
  ['@collection.comments:a.text ?= "bad" && @collection.comments:b.likes ?= 1', 'p1 p2 p3'],
  ['@collection.comments.text != "ugly"', 'p1 p2 p3'],
  ['@collection.comments.text != "bad"', ''],
  ['author = @request.auth.id', 'p1'],
  ['@request.auth.team.name = "Red"', 'p1 p2 p3'],
  ['author.team = @request.auth.team', 'p1'],
  ['geoDistance(lon, 0, 0, 0) < 1', 'p1'],
  ['geoDistance(lon, 0, 0, 0) > 10007 && geoDistance(lon, 0, 0, 0) < 10008', 'p2'],
  ['strftime("plain", at, "+1 days") = "plain"', 'p1'],
  ['@request.body.tags:length = "" || @request.body.tags:length != null', ''],
  ['strftime("%F", at, "+1 hours") = "2026-02-01" && strftime("%F %T", at, "start of month") = "2026-01-01 00:00:00"', 'p1'],
];

for (const [text, expected] of answers) {
  test(`${text} holds for ${expected === '' ? 'nothing' : expected}`, async () => {
    assert.equal(await ask(text, ann), expected);
  });
}

test('through an account that is not there, nothing holds', async () => {
  for (const text of [
    '@request.auth.team.name = "Red"',
    '@request.auth.team.name != "Red"',
    '@request.auth.team.name = null',
    'author.team != @request.auth.team',
    'editors != @request.auth.id',
  ]) {
    assert.equal(await ask(text, guest), '', text);
  }
});

async function ask(text: string, request: RequestValues): Promise<string> {
  const schema = await store.deps.catalogue.reload(store.deps.catalogue.loaded);
  const [collection, authCollection] = [schema.byName('posts'), schema.byName('users')];
  assert.ok(collection !== undefined && authCollection !== undefined);
  const typed = check(parse(text), { schema, collection, authCollection, use: 'rule', sight: 'full', mayRead: () => true });
  const { condition, parameters } = toSql(allOf([typed]), { alias: 'record', firstParameter: 1 });
  const values = bindParameters(parameters, request, new Date('2026-01-31T12:00:00.000Z'));
  const { rows } = await client.query<{ id: string }>(`select id from data.posts record where ${condition.compile().text} order by id`, values);
  return rows.map(({ id }) => id).join(' ');
}
