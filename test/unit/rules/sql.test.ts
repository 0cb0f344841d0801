import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsRead, toSql, usesRequest } from '../../../store/rules/index.ts';
import { ann, compiled, guest, typed } from './rules-fixture.ts';

const golden: readonly (readonly [string, string, readonly (string | null)[]])[] = [
  ['', 'true', []],
  ['title = "x" // one', '("record"."title" = $1::text)', ['x']],
  ['title = null', `(("record"."title" is null or "record"."title" = ''))`, []],
  ['title != ""', `("record"."title" <> '')`, []],
  ['title != "x"', '("record"."title" is distinct from $1::text)', ['x']],
  ['score >= 1.5', '("record"."score" >= $1::double precision)', ['1.5']],
  ['score = null', '("record"."score" is null)', []],
  ['public = true', '("record"."public" = $1::boolean)', ['true']],
  ['title = subtitle', `(coalesce("record"."title", '') = coalesce("record"."subtitle", ''))`, []],
  ['title ~ "x"', '("record"."title" ilike $1::text)', ['%x%']],
  ['title !~ "x%"', `(coalesce("record"."title", '') collate "C" not ilike $1::text)`, ['x%']],
  ['day = "2026-01-31"', '("record"."day" = $1::date)', ['2026-01-31']],
  ['at > @now', '("record"."at" > $1::timestamptz)', ['2026-01-31T12:00:00.000Z']],
  ['@monthEnd > at', '($1::timestamptz > "record"."at")', ['2026-01-31T23:59:59.999Z']],
  ['author = @request.auth.id', '("record"."author" = $1::text)', ['ann']],
  ['@request.auth.id != ""', '($1::boolean)', ['true']],
  ['author.id = "u"', '("record"."author" = $1::text)', ['u']],
  [
    'score = 1 || score = 2 && public = true',
    '(("record"."score" = $1::double precision) or (("record"."score" = $2::double precision) and ("record"."public" = $3::boolean)))',
    ['1', '2', 'true'],
  ],
  ['tags ?= "a"', 'exists (select from unnest("record"."tags") as "record_1"("value") where "record_1"."value" = $1::text)', ['a']],
  [
    'tags = "a"',
    'not exists (select from (values (1)) one left join unnest("record"."tags") as "record_1"("value") on true where ("record_1"."value" = $1::text) is not true)',
    ['a'],
  ],
  [
    'editors ?= @request.auth.id',
    'exists (select from "data"."_mn_posts_editors" "record_1" where "record_1"."record" = "record"."id" and "record_1"."target" = $1::text)',
    ['ann'],
  ],
  [
    'comments_via_post.likes ?> 3',
    'exists (select from "data"."comments" "record_1" where "record_1"."post" = "record"."id" and "record_1"."likes" > $1::double precision)',
    ['3'],
  ],
  [
    'author.name = "Ann"',
    'exists (select from "data"."users" "record_1" where "record_1"."id" = "record"."author" and "record_1"."name" = $1::text)',
    ['Ann'],
  ],
  [
    '@collection.comments:c.post ?= id && @collection.comments:c.text ?= "x"',
    'exists (select from "data"."comments" "record_1" where (("record_1"."post" = "record"."id") and ("record_1"."text" = $1::text)))',
    ['x'],
  ],
  ['tags:length > 1', '(coalesce(cardinality("record"."tags"), 0)::double precision > $1::double precision)', ['1']],
  ['title:lower = "x"', '(lower("record"."title" collate "C") = $1::text)', ['x']],
];

for (const [text, sql, parameters] of golden) {
  test(`the SQL of ${text === '' ? 'nothing' : text}`, () => {
    assert.deepEqual(compiled(text), { sql, parameters });
  });
}

test('a guest has no id to bind, so that nothing equals it', () => {
  assert.deepEqual(compiled('author = @request.auth.id', guest).parameters, [null]);
});

test('an account without a team equals no record without a team', () => {
  assert.deepEqual(compiled('author = @request.auth.team', ann).parameters, [null]);
});

test('the SQL text depends on the shape alone, whatever the literals are', () => {
  const one = compiled('title = "a" || title = "a" || title ~ "b"');
  const other = compiled(`title = "';--" || title = "x" || title ~ "'c"`);

  assert.equal(one.sql, other.sql);
});

test('parameters are numbered from the one that is given', () => {
  const { condition } = toSql(typed('score = 1 && score = 2'), { alias: 'r', firstParameter: 7 });

  assert.equal(condition.compile().text, '(("r"."score" = $7::double precision) and ("r"."score" = $8::double precision))');
});

test('a tree tells what it reads', () => {
  const tree = typed('comments_via_post.text ?= @request.body.x && author.name != @request.auth.id');

  assert.deepEqual(
    fieldsRead(tree).map(({ collectionId, fieldId }) => `${collectionId} ${fieldId ?? '*'}`),
    ['c_comments comments_post', 'c_comments *', 'c_comments comments_text', 'c_posts posts_author', 'c_users *', 'c_users users_name'],
  );
  assert.deepEqual([...usesRequest(tree)], ['body', 'auth']);
});
