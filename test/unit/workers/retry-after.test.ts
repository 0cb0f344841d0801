import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryAfterS } from '../../../workers/egress/retry-after.ts';

const nowMs = Date.parse('2026-11-21T12:00:00Z');

const asked: readonly (readonly [string, number])[] = [
  ['0', 0],
  ['120', 120],
  [' 7 ', 7],
  ['Sat, 21 Nov 2026 12:01:30 GMT', 90],
  ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
  ['999999999', 86_400],
  ['Fri, 21 Nov 2036 12:00:00 GMT', 86_400],
];

const askedNothing = ['', '-1', '1.5', 'soon', '1e3', 'tomorrow GMT'];

for (const [text, seconds] of asked) {
  test(`Retry-After "${text}" asks for ${seconds} seconds`, () => {
    assert.equal(retryAfterS({ 'retry-after': text }, nowMs), seconds);
  });
}

test('what is neither seconds nor a date asks for nothing', () => {
  const answers = askedNothing.map((text) => retryAfterS({ 'retry-after': text }, nowMs));

  assert.deepEqual(
    answers,
    askedNothing.map(() => undefined),
  );
  assert.equal(retryAfterS({}, nowMs), undefined);
});
