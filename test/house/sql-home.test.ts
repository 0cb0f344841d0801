import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isStatement, sqlAwayFromHome } from './laws/sql-home.ts';
import { requireNone } from './tree/finding.ts';
import { projectRoot } from './tree/project-root.ts';
import { projectSources } from './tree/project-sources.ts';
import { Source } from './tree/source.ts';

const statements: readonly string[] = [
  'select id, name from svc.collections where id = $1',
  'SELECT * FROM "users"',
  'select pg_advisory_lock(1)',
  'select 1',
  'insert into svc.outbox (record) values ($1)',
  'update "posts" set "title" = $1',
  'delete from data."posts"',
  'alter table data."posts" add column "a" text',
  'create unique index "ix_a" on data."posts" ("a")',
  'create or replace function svc.f() returns trigger',
  'drop table if exists data."posts"',
  'truncate data."posts"',
  'with changed as (update x set y = 1 returning *) select * from changed',
  '/* records.get */ select doc from data.posts',
  '\n  -- a comment first\n  select doc from data.posts',
  'lock table data."posts"',
  "set local lock_timeout = '2s'",
];

const sentences: readonly string[] = [
  'Select a collection from the list.',
  'update',
  'update the record, then set its name',
  'update $1 for alone',
  'delete',
  'Update the record, then set its name.',
  'create a record of this collection',
  'drop me a line',
  'selected from the list',
  'truncate takes every record away',
  'insert',
  'with care (as always)',
  'Create table plans here.',
];

test('statements live in *.sql.ts files and migrations only', () => {
  requireNone(
    sqlAwayFromHome(projectSources(projectRoot())),
    'Move it to a *.sql.ts file beside the use case that needs it, and export it under a name.',
  );
});

test('every kind of statement is known by its shape', () => {
  assert.deepEqual(
    statements.filter((text) => !isStatement(text)),
    [],
  );
});

test('a sentence is no statement', () => {
  assert.deepEqual(sentences.filter(isStatement), []);
});

test('planted SQL is found as a text, a template and a tag, and left alone at home', () => {
  const texts = ["query('select 1');", 'query(`delete from ${table} where id = $1`);', 'const part = sql`and "a" = ${a}`;'];
  const planted = texts.map((text) => new Source('store/records/read.ts', text));
  const atHome = texts.map((text) => new Source('store/records/read.sql.ts', text));

  assert.deepEqual(sqlAwayFromHome([...planted, ...atHome]), [
    { where: 'store/records/read.ts:1', what: 'holds a statement' },
    { where: 'store/records/read.ts:1', what: 'holds a statement' },
    { where: 'store/records/read.ts:1', what: 'uses the sql tag' },
  ]);
});
