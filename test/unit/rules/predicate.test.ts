import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toPredicate } from '../../../store/rules/index.ts';
import { matches, likePattern } from '../../../store/rules/operators/like.ts';
import { ann, guest, typed, verdict } from './rules-fixture.ts';

const row = {
  id: 'p1',
  title: 'Hello',
  subtitle: null,
  score: 5,
  public: null,
  day: '2026-01-31',
  at: '2026-01-31T10:00:00.000Z',
  extra: { a: { b: [1, 'x'] }, n: null },
  tags: ['a', 'b'],
  author: 'ann',
  editors: [],
};

const verdicts: readonly (readonly [string, boolean])[] = [
  ['title = "Hello"', true],
  ['title = "hello"', false],
  ['title ~ "ELL"', true],
  ['title ~ "H%o"', true],
  ['title ~ "H_llo"', false],
  ['title ~ "%H_llo"', true],
  ['title !~ "x"', true],
  ['subtitle = "" && subtitle = null', true],
  ['subtitle != "x"', true],
  ['subtitle > "a" || subtitle <= "a"', false],
  ['public = false', false],
  ['public != false', true],
  ['score > 4.9 && score <= 5', true],
  ['day = "2026-01-31" && day < "2026-01-31 00:00:01"', true],
  ['at > day && at < @now', true],
  ['extra.a.b.1 = "x" && extra.a.b.0 = 1', true],
  ['extra.n = null && extra.nothing = ""', true],
  ['extra.a.b:length = 2', true],
  ['extra.constructor = null', true],
  ['tags = "a"', false],
  ['tags ?= "a" && tags ?= "b"', true],
  ['tags != "c"', true],
  ['tags ?!= "a"', true],
  ['editors = null', true],
  ['editors ?= "ann"', false],
  ['editors:length = 0', true],
  ['author = @request.auth.id', true],
  ['@request.auth.team = author || @request.auth.team != author', false],
  ['@request.auth.team:isset = false', true],
  ['@request.auth.level >= 3', true],
  ['title:lower = "hello"', true],
  [`strftime('%Y/%m %%', at) = '2026/01 %'`, true],
  ['@day = 31 && @month = 1 && @year = 2026 && @weekday = 6 && @hour = 12', true],
];

for (const [text, expected] of verdicts) {
  test(`${text} is ${expected}`, () => {
    assert.equal(verdict(text, row), expected);
  });
}

test('what a guest is not, is false under every operator', () => {
  for (const operator of ['=', '!=', '>', '>=', '<', '<=', '~', '!~', '?=', '?!=', '?~', '?!~']) {
    assert.equal(verdict(`author ${operator} @request.auth.id`, row, guest), false, operator);
    assert.equal(verdict(`"ann" ${operator} @request.auth.id`, row, guest), false, operator);
  }
});

test('a body is compared with the record that it changes', () => {
  const request = { ...ann, body: { title: 'Hello', score: '6', tags: ['a'] } };

  assert.equal(verdict('@request.body.title:changed = false && @request.body.score:changed = true', row, request), true);
  assert.equal(verdict('@request.body.tags:changed = true && @request.body.subtitle:changed = false', row, request), true);
  assert.equal(verdict('@request.body.tags:each ?= "a" && @request.body.tags:length = 1', row, request), true);
  assert.equal(verdict('@request.body.title:isset = true && @request.body.subtitle:isset = false', row, request), true);
});

test('what asks for other rows needs the database', () => {
  for (const text of ['author.name = "x"', 'comments_via_post.text = "x"', '@collection.users.name ?= "x"', 'geoDistance(score, 1, 2, 3) < 4']) {
    assert.deepEqual(toPredicate(typed(text)), { kind: 'needs-database' }, text);
  }
});

test('texts are ordered by their bytes in UTF-8', () => {
  assert.equal(verdict('title > "\u{ffff}"', { title: '\u{10000}' }), true);
});

test('a hostile pattern takes time in proportion to the text', () => {
  const text = 'a'.repeat(200_000);
  const pattern = likePattern(`%${'a%'.repeat(500)}${'a_'.repeat(500)}b`);
  const started = performance.now();

  assert.equal(matches(text, pattern), false);
  assert.equal(matches(text, likePattern(`%${'a'.repeat(2_000)}b%`)), false);
  assert.ok(performance.now() - started < 1_000);
});
