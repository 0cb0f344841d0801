import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validate, version } from 'uuid';
import { randomIds, recordIdPattern } from '../../../proto/values/ids.ts';

const many = Array.from({ length: 20_000 }, () => randomIds.record());

test('record ids are version 7 UUIDs that carry the time they were made at', () => {
  const before = Date.now();
  const id = randomIds.record();
  assert.ok(validate(id) && version(id) === 7 && recordIdPattern.test(id), id);
  const ms = Number.parseInt(id.slice(0, 13).replace('-', ''), 16);
  assert.ok(ms >= before - 1 && ms <= Date.now(), id);
});

test('record ids ascend in the order they were made, also within one millisecond', () => {
  assert.deepEqual(many, many.toSorted());
});

test('no two record ids share their random part', () => {
  assert.equal(new Set(many).size, many.length);
  const tails = new Set(many.map((id) => id.slice(-10)));
  assert.ok(tails.size > many.length - 5, `${tails.size} of ${many.length} tails differ`);
});
