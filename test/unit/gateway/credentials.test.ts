import assert from 'node:assert/strict';
import { test } from 'node:test';
import { presentedCredential } from '../../../gateway/identity/credentials.ts';

function presented(authorization: string | null, adminKey: string | null = null) {
  return presentedCredential({ authorization, adminKey, hasRivalCredentials: false });
}

test('no header is a guest', () => {
  assert.equal(presented(null), '');
});

test('the scheme may be written in any case, with any number of spaces', () => {
  assert.equal(presented('Bearer abc'), 'abc');
  assert.equal(presented('bEARER   abc '), 'abc');
});

test('either header carries the one credential, or both the same', () => {
  assert.equal(presented(null, 'key'), 'key');
  assert.equal(presented('Bearer key', 'key'), 'key');
});

test('an admin key may hold spaces and any letters', () => {
  assert.equal(presented(null, 'correct horse bättery'), 'correct horse bättery');
});

for (const authorization of ['', 'Bearer', 'Bearer ', 'Bearer\tabc', 'Basic abc', 'abc', 'Bearerabc', `Bearer ${'x'.repeat(4097)}`, 'Bearer a\0b']) {
  test(`Authorization: ${JSON.stringify(authorization.slice(0, 20))} is no credential and no guest`, () => {
    assert.throws(() => presented(authorization), { code: 'invalid_credential' });
  });
}

test('an empty admin key is no guest', () => {
  assert.throws(() => presented(null, ''), { code: 'invalid_credential' });
});

test('two different credentials are refused', () => {
  assert.throws(() => presented('Bearer a', 'b'), { code: 'ambiguous_credential' });
  assert.throws(() => presentedCredential({ authorization: 'Bearer a', adminKey: null, hasRivalCredentials: true }), {
    code: 'ambiguous_credential',
  });
});
