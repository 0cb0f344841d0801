import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Field } from '../../proto/fields/field-type.ts';
import type { CollectionDefinition } from '../../proto/schema/collection.ts';
import { tablePlan, type TablePlan } from '../../store/collections/table/table-plan.ts';

const field = (id: string, name: string, given: Partial<Field> = {}): Field => ({
  id,
  name,
  type: 'text',
  required: false,
  unique: false,
  hidden: false,
  options: {},
  ...given,
});

const author: Partial<Field> = { type: 'relation', options: { targetId: 'users', cardinality: '1:N', onDelete: 'CASCADE' } };
const tags: Partial<Field> = { type: 'relation', options: { targetId: 'tags', cardinality: 'M:N', onDelete: 'SET_NULL' } };

const posts: CollectionDefinition = {
  id: 'posts',
  name: 'posts',
  type: 'base',
  system: false,
  docVersion: 1,
  createdAt: '',
  updatedAt: '',
  fields: [field('f1', 'title', { unique: true, default: `it's` }), field('f2', 'author', author), field('f3', 'tags', tags)],
  indexes: [{ id: 'i1', fields: [{ name: 'title', descending: true }], unique: false }],
  rules: { listRule: null, viewRule: null, createRule: null, updateRule: null, deleteRule: null },
};

const plan = (before?: CollectionDefinition, after?: CollectionDefinition) => tablePlan({ before, after, tableOf: (id) => id });

/** Statements on one line each; a question asked of the records begins with a question mark. */
function steps({ steps: list }: TablePlan): readonly string[] {
  return list.map((step) => {
    const text = (step.kind === 'check' ? step.question : step.statement).compile().text.replaceAll(/\s+/g, ' ').trim();
    return step.kind === 'check' ? `? ${text}` : text;
  });
}

test('a new collection is a table, a trigger, join tables, indexes and keys', () => {
  const made = plan(undefined, posts);

  assert.deepEqual(steps(made), [
    `create table "data"."posts" ( id text collate "C" not null default gen_random_uuid()::text, created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now(), _seq bigint not null default nextval('svc.outbox_seq_seq'), _doc text, _doc_v bigint, "title" text collate "C" default 'it''s'::text, "author" text collate "C", constraint "pk_posts" primary key (id) )`,
    `create trigger "doc_posts" before update on "data"."posts" for each row when (new._doc is not distinct from old._doc and new._doc_v is not distinct from old._doc_v and new *<> old) execute function svc.document_untracked()`,
    `create table "data"."_mn_f3" ( record text collate "C" not null, target text collate "C" not null, position integer not null, constraint "pk_f3" primary key (record, target) )`,
    `create index "ix_f3" on "data"."_mn_f3" (target)`,
    `alter table "data"."_mn_f3" add constraint "fk_f3_record" foreign key (record) references "data"."posts" (id) on delete cascade deferrable initially deferred`,
    `alter table "data"."_mn_f3" add constraint "fk_f3" foreign key (target) references "data"."tags" (id) deferrable initially deferred`,
    `create trigger "doc_f3_insert" after insert on "data"."_mn_f3" referencing new table as changed for each statement execute function svc.links_untracked('posts')`,
    `create trigger "doc_f3_delete" after delete on "data"."_mn_f3" referencing old table as changed for each statement execute function svc.links_untracked('posts')`,
    `create trigger "doc_f3_update" after update on "data"."_mn_f3" referencing new table as changed for each statement execute function svc.links_untracked('posts')`,
    `create index "ix_posts" on "data"."posts" ("created_at", "id")`,
    `create unique index "ux_f1" on "data"."posts" ("title")`,
    `create index "ix_f2" on "data"."posts" ("author", "id")`,
    `create index "ix_i1" on "data"."posts" ("title" desc, "id" desc)`,
    `alter table "data"."posts" add constraint "fk_f2" foreign key ("author") references "data"."users" (id) deferrable initially deferred`,
  ]);
  assert.deepEqual(made.locks, [
    { table: 'tags', mode: 'share row exclusive' },
    { table: 'users', mode: 'share row exclusive' },
  ]);
  assert.deepEqual([made.rewrites, made.destructive, made.breaks], [false, [], []]);
});

test('a rename, a new field and a new type are three statements of their own, in an order that works', () => {
  const before = { ...posts, fields: [field('f1', 'a'), field('f2', 'b')], indexes: [] };
  const after = {
    ...before,
    name: 'articles',
    fields: [field('f2', 'a'), field('f1', 'b', { type: 'number', required: true }), field('f3', 'c', { type: 'bool' })],
  };

  const changed = plan(before, after);

  assert.deepEqual(steps(changed), [
    `alter table "data"."posts" rename to "articles"`,
    `alter table "data"."articles" rename column "a" to "_via_f1"`,
    `alter table "data"."articles" rename column "b" to "a"`,
    `alter table "data"."articles" rename column "_via_f1" to "b"`,
    `? select 1 as found from "data"."articles" record where nullif("b", '') !~ '^[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?$' limit 1`,
    `alter table "data"."articles" alter column "b" drop default, alter column "b" drop not null, alter column "b" type double precision using (nullif("b", ''))::double precision`,
    `alter table "data"."articles" alter column "b" drop default, alter column "b" drop not null`,
    `alter table "data"."articles" add column "c" boolean`,
    `? select 1 as found from "data"."articles" record where record."b" is null limit 1`,
  ]);
  assert.deepEqual(changed.locks, [{ table: 'posts', mode: 'access exclusive' }]);
  assert.equal(changed.rewrites, true);
});

test('what changes no table locks none', () => {
  const after = { ...posts, fields: posts.fields.map((one) => ({ ...one, hidden: true })), rules: { ...posts.rules, listRule: '' } };

  const changed = plan(posts, after);

  assert.deepEqual([steps(changed), changed.locks], [[], []]);
});

test('a new index, key or relation to many keeps writers away, not readers', () => {
  const before = { ...posts, fields: [field('f1', 'title')], indexes: [] };
  const indexed = { ...before, indexes: [{ id: 'i1', fields: [{ name: 'title', descending: false }], unique: true }] };
  const linked = { ...before, fields: [...before.fields, field('f3', 'tags', tags)] };

  const locks = [indexed, linked].map((after) => plan(before, after).locks);

  assert.deepEqual(locks, [
    [{ table: 'posts', mode: 'share row exclusive' }],
    [
      { table: 'posts', mode: 'share row exclusive' },
      { table: 'tags', mode: 'share row exclusive' },
    ],
  ]);
});

test('dropped fields take their indexes and links with them, and say so', () => {
  const changed = plan(posts, { ...posts, fields: [], indexes: [] });

  assert.deepEqual(steps(changed), [
    `drop index "data"."ux_f1"`,
    `drop index "data"."ix_f2"`,
    `drop index "data"."ix_i1"`,
    `alter table "data"."posts" drop column "title"`,
    `alter table "data"."posts" drop column "author"`,
    `drop table "data"."_mn_f3"`,
  ]);
  assert.deepEqual(changed.locks, [
    { table: 'posts', mode: 'access exclusive' },
    { table: 'tags', mode: 'access exclusive' },
    { table: 'users', mode: 'access exclusive' },
  ]);
  assert.equal(changed.destructive.length, 3);
});

test('a dropped collection locks what it referred to', () => {
  const gone = plan(posts, undefined);

  assert.deepEqual(steps(gone), [`drop table "data"."_mn_f3"`, `drop table "data"."posts"`]);
  assert.deepEqual(
    gone.locks.map(({ table }) => table),
    ['_mn_f3', 'posts', 'tags', 'users'],
  );
});
