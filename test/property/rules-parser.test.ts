import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SvcError } from '../../proto/errors/svc-error.ts';
import { check, parse, toSql } from '../../store/rules/index.ts';
import { ruleScope } from '../unit/rules/rules-fixture.ts';

// Whatever is typed: a tree, or the language's own error; never anything else, and never for long.

const numRuns = 20_000 * Number(process.env['SVC_TEST_RUNS'] ?? 1);
const millisecondsMax = 50;

const words = [
  'title',
  'score',
  'author.name',
  'tags',
  'editors:each',
  '@request.auth.id',
  '@request.body.title:changed',
  '@collection.users:x.name',
  '@now',
  'extra.a.0',
  'comments_via_post.text',
];
const pieces = [
  ...words,
  '=',
  '?=',
  '!=',
  '>',
  '<=',
  '~',
  '!~',
  '&&',
  '||',
  '(',
  ')',
  ',',
  '"',
  "'",
  '\\',
  '//',
  '\n',
  ' ',
  '"x"',
  "'%_'",
  '1',
  '-1.5e3',
  'true',
  'null',
  ':lower',
  '.',
  ':',
  '@',
  'strftime(',
  'geoDistance(',
  '😀',
  '\0',
  '\ud800',
];
const condition = fc
  .tuple(fc.constantFrom(...words), fc.constantFrom('=', '?!=', '~', '<'), fc.constantFrom(...words, '"x"', '5', 'null'))
  .map((parts) => parts.join(' '));
const input = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join('')) },
  { weight: 3, arbitrary: fc.array(condition, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(' && ')) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...pieces), fc.nat({ max: 5_000 }))
      .map(([piece, count]) => piece.repeat(Math.min(count, 9_000 / piece.length))),
  },
);

test('any text is a tree or the error of the language, at once', { timeout: 60_000 + numRuns * 2 }, (t) => {
  let longest = 0;

  fc.assert(
    fc.property(input, (text) => {
      // The machine may pause the process at any time: what took long is asked again.
      const first = timed(text);
      longest = Math.max(longest, first < millisecondsMax / 2 ? first : Math.min(timed(text), timed(text)));
    }),
    { numRuns },
  );

  t.diagnostic(`${numRuns} inputs, the longest took ${longest.toFixed(1)} ms`);
  assert.ok(longest < millisecondsMax, `one took ${longest} ms`);
});

/** Milliseconds from the text to its SQL or its refusal. */
function timed(text: string): number {
  const started = performance.now();
  try {
    toSql(check(parse(text), ruleScope), { alias: 'record', firstParameter: 1 });
  } catch (error) {
    assert.ok(error instanceof SvcError && error.code === 'bad_filter', `${JSON.stringify(text)}: ${String(error)}`);
  }
  return performance.now() - started;
}
