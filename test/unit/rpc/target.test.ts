import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTarget, parseTargets, targetText } from '../../../proto/rpc/target.ts';

test('addresses are read in every form that they are written in', () => {
  assert.deepEqual(parseTarget('unix:/run/svc/store.sock'), { kind: 'unix', path: '/run/svc/store.sock' });
  assert.deepEqual(parseTarget('unix:///run/svc/store.sock'), { kind: 'unix', path: '/run/svc/store.sock' });
  assert.deepEqual(parseTarget('store.default.svc:7000'), { kind: 'tcp', host: 'store.default.svc', port: 7000 });
  assert.deepEqual(parseTarget('[::1]:0'), { kind: 'tcp', host: '[::1]', port: 0 });
});

test('a list may have blanks and repetitions', () => {
  const targets = parseTargets(' unix:/a.sock, b:1,, b:1');

  assert.deepEqual(targets.map(targetText), ['unix:/a.sock', 'b:1']);
});

test('what is no address is refused with a sentence that says so', () => {
  const wrong = ['', 'store', 'store:', 'store:x', ':7000', 'store:70000', 'http://store:7000', 'unix:', '::1:7000', `unix:/${'d'.repeat(100)}`];

  for (const text of wrong) assert.throws(() => parseTargets(text), TypeError, text);
});
