import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineBudget } from '../../../gateway/endpoint/line-budget.ts';
import { pathText, requireQueryText } from '../../../gateway/http/path-text.ts';
import { headerLines, statusText } from '../../../gateway/http/reply.ts';
import { RequestIds } from '../../../gateway/http/request-ids.ts';
import { catalogue } from '../../../proto/errors/catalogue.ts';
import { randomIds } from '../../../proto/values/ids.ts';

test('header lines begin with CRLF each, and hold what headers may hold', () => {
  assert.equal(headerLines({ A: 'b', C: 'd' }), '\r\nA: b\r\nC: d');
  for (const value of ['a\r\nSet-Cookie: b', 'a\nb', 'ä', 'a\0']) assert.throws(() => headerLines({ A: value }), TypeError, JSON.stringify(value));
});

test('every status of the catalogue has its text', () => {
  for (const { status } of Object.values(catalogue)) assert.match(statusText(status), new RegExp(`^${status} [A-Z]`));
});

test('a proper request id is kept, any other replaced by one of ours, each once', () => {
  const ids = new RequestIds(randomIds);

  assert.equal(ids.of('a.B-9_'), 'a.B-9_');
  const made = ['', ' ', 'a b', 'x'.repeat(129), 'ä'].map((given) => ids.of(given));
  assert.equal(new Set(made).size, made.length);
  for (const id of made) assert.match(id, /^[a-z0-9]{24}-[0-9a-z]+$/);
});

test('a segment of a path is decoded once, strictly', () => {
  assert.equal(pathText('plain'), 'plain');
  assert.equal(pathText('a%2Fb%20c'), 'a/b c');
  assert.equal(pathText('%2525'), '%25');
  assert.equal(pathText('%C3%A4'), 'ä');
  for (const segment of ['%', '%z1', '%ff', '%c3', '%00', 'a\uFFFD', '%ed%a0%80'])
    assert.throws(() => pathText(segment), { code: 'bad_request' }, segment);
});

test('a query with broken UTF-8 is refused, one with letters of any language is not', () => {
  requireQueryText('filter=name%3D1&q=ä');
  assert.throws(() => requireQueryText('q=\uFFFD'), { code: 'bad_request' });
});

test('log lines are bounded, and what is left out is counted', () => {
  const lines = new LineBudget();

  const written = Array.from({ length: 1000 }, () => lines.take()).filter(Boolean).length;

  assert.ok(written >= 20 && written < 100, `${written} lines`);
  assert.equal(lines.suppressed(), 1000 - written);
  assert.equal(lines.suppressed(), 0);
});
