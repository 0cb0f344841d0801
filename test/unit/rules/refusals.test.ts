import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SvcError } from '../../../proto/errors/svc-error.ts';
import { check, parse, type Scope } from '../../../store/rules/index.ts';
import { compiled, filterScope, ruleScope } from './rules-fixture.ts';

const refusals: readonly (readonly [string, number, RegExp])[] = [
  ['title', 6, /expected an operator/],
  ['title =', 8, /expected a field, a value/],
  ['title = "x', 9, /no closing "/],
  ['(title = "x"', 13, /expected \)/],
  ['title = "x" title', 13, /expected && or \|\|/],
  ['"😀" = title ;', 13, /";" does not belong here/],
  ['title == "x"', 8, /expected a field, a value/],
  ['score = 1x', 9, /a name does not begin with a digit/],
  ['score = 1e999', 9, /too large/],
  ['nope = 1', 1, /no field "nope"/],
  ['title = 5', 7, /cannot compare/],
  ['score > "x"', 7, /cannot compare/],
  ['at = "yesterday"', 4, /a time is written/],
  ['public > true', 8, /needs an order/],
  ['score < null', 7, /cannot compare/],
  ['title.name = "x"', 1, /nothing lies behind/],
  ['comments_via_post = "x"', 1, /a field of theirs must follow/],
  ['comments_via_title.text = "x"', 1, /no field/],
  ['title:nope = "x"', 1, /no modifier/],
  ['title:isset = true', 1, /does not fit/],
  ['@tomorow > at', 1, /there is no "@tomorow"/],
  ['@request.nope = "x"', 1, /@request has/],
  ['@request.auth.nope = "x"', 1, /the account has no field/],
  ['@collection.nope.x = "x"', 1, /no collection "nope"/],
  ['@collection.users = "x"', 1, /a field must follow/],
  ['upper(title) = "x"', 1, /no function "upper"/],
  ['strftime("%q", at) = "x"', 10, /strftime has no %q/],
  ['geoDistance(score, 1, 2) < 3', 1, /takes four numbers/],
  ['author.posts_via_author.author.posts_via_author.author.posts_via_author.author.name = "x"', 1, /at most 6/],
  [`${'('.repeat(33)}score = 1${')'.repeat(33)}`, 33, /nest at most 32/],
  [Array.from({ length: 201 }, () => 'id="x"').join('||'), 1_601, /at most 200 conditions/],
  [' '.repeat(4_097), 4_097, /at most 4096 characters/],
  ['title = "\0"', 10, /NUL/],
];

for (const [text, position, reason] of refusals) {
  test(`${text.slice(0, 40)} is refused at character ${position}`, () => {
    requireRefusal(text, ruleScope, { position, reason });
  });
}

const callersRefusals: readonly (readonly [string, RegExp])[] = [
  ['draft = "x"', /no field "draft"/],
  ['author.secret = "x"', /no field "secret"/],
  ['@request.auth.secret = "x"', /no field "secret"/],
  ['@request.body.title = "x"', /a filter does not know/],
  ['@collection.users.name ?= "x"', /a filter does not know/],
];

for (const [text, reason] of callersRefusals) {
  test(`a caller's filter may not say ${text}`, () => {
    requireRefusal(text, filterScope, { position: 1, reason });
  });
}

test("a caller's filter does not walk where the caller may not read", () => {
  const scope = { ...filterScope, mayRead: () => false };

  requireRefusal('author.name = "x"', scope, { position: 1, reason: /cannot be read here/ });
  requireRefusal('comments_via_post.text = "x"', scope, { position: 1, reason: /cannot be read here/ });
});

test('what looks like SQL stays a value or is refused', () => {
  const hostile = `x' or 1=1; drop table users; --`;

  assert.deepEqual(compiled(`title = ${JSON.stringify(hostile)}`), { sql: '("record"."title" = $1::text)', parameters: [hostile] });
  for (const text of [
    'title"; drop = 1',
    "title' = 1",
    'extra.a"b = 1',
    "extra.a'b = 1",
    'title $1 = 1',
    'title; = 1',
    '"record".title = 1',
    'title = 1 -- x',
    'title /* x */ = 1',
  ]) {
    assert.throws(() => check(parse(text), ruleScope), SvcError, text);
  }
});

function requireRefusal(text: string, scope: Scope, expected: { readonly position: number; readonly reason: RegExp }): void {
  assert.throws(
    () => check(parse(text), scope),
    (error) => {
      assert.ok(error instanceof SvcError);
      assert.deepEqual([error.code, error.status, error.details.values?.['position']], ['bad_filter', 400, expected.position]);
      assert.match(String(error.details.values?.['reason']), expected.reason);
      return true;
    },
  );
}
