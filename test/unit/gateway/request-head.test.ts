import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeadReader } from '../../../gateway/http/request-head.ts';

const reader = new HeadReader();

function head(...headers: readonly (readonly [string, string])[]) {
  return reader.read({ forEach: (take) => headers.forEach(([name, value]) => take(name, value)) });
}

test('a plain request has no flaw, no body and no credential', () => {
  const plain = head(['host', 'x'], ['accept', '*/*']);

  assert.equal(plain.flaw, '');
  assert.equal(plain.hasBody, false);
  assert.equal(plain.contentLength, -1);
  assert.equal(plain.authorization, null);
});

test('a length, or chunks, announce a body', () => {
  assert.equal(head(['content-length', '5']).hasBody, true);
  assert.equal(head(['content-length', '0']).hasBody, false);
  assert.equal(head(['transfer-encoding', 'Chunked']).hasBody, true);
});

const flawed: readonly (readonly [flaw: RegExp, ...headers: readonly (readonly [string, string])[]])[] = [
  [/Content-Length must stand once/, ['content-length', '1'], ['content-length', '1']],
  [/Content-Length must be a number/, ['content-length', '']],
  [/Content-Length must be a number/, ['content-length', '0x1']],
  [/Content-Length must be a number/, ['content-length', '-1']],
  [/Content-Length must be a number/, ['content-length', '1,1']],
  [/Transfer-Encoding must be chunked/, ['transfer-encoding', 'identity']],
  [/Transfer-Encoding must be chunked/, ['transfer-encoding', 'chunked, chunked']],
  [/Transfer-Encoding must stand once/, ['transfer-encoding', 'chunked'], ['transfer-encoding', 'chunked']],
  [/must not stand together/, ['transfer-encoding', 'chunked'], ['content-length', '1']],
  [/must not stand together/, ['content-length', '1'], ['transfer-encoding', 'chunked']],
  [/Host must stand once/, ['host', 'a'], ['host', 'a']],
  [/Content-Type must stand once/, ['content-type', 'application/json'], ['content-type', 'text/plain']],
  [/Idempotency-Key must stand once/, ['idempotency-key', 'a'], ['idempotency-key', 'b']],
];

for (const [flaw, ...headers] of flawed) {
  test(`${headers.map(([name, value]) => `${name}: ${value}`).join(' + ')} is a flaw`, () => {
    assert.match(head(...headers).flaw, flaw);
  });
}

test('a list in several lines is one list', () => {
  assert.equal(head(['if-none-match', '"a"'], ['if-none-match', '"b"']).ifNoneMatch, '"a", "b"');
});

test('the same credential twice is one, two are rivals', () => {
  assert.equal(head(['authorization', 'Bearer a'], ['authorization', 'Bearer a']).hasRivalCredentials, false);
  assert.equal(head(['authorization', 'Bearer a'], ['authorization', 'Bearer b']).hasRivalCredentials, true);
  assert.equal(head(['x-admin-key', 'a'], ['x-admin-key', 'b']).hasRivalCredentials, true);
});

test('nothing of one request is left in the next', () => {
  head(['authorization', 'Bearer a'], ['content-length', '1'], ['content-length', '2']);

  const next = head(['host', 'x']);

  assert.deepEqual([next.authorization, next.flaw, next.contentLength], [null, '', -1]);
});

test('the lines of a head hold every header but the credentials', () => {
  const { lines } = head(['host', 'h'], ['authorization', 'Bearer secret'], ['x-admin-key', 'secret'], ['x-a', '1'], ['x-a', '2']);

  assert.equal(lines, 'host: h\nx-a: 1\nx-a: 2\n');
});
