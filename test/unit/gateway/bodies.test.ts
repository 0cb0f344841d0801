import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BodyBudget } from '../../../gateway/http/body-budget.ts';
import { BodyBuffer } from '../../../gateway/http/body-buffer.ts';
import { isJsonType } from '../../../gateway/endpoint/media-type.ts';

test('a body in many pieces is the body as it was', () => {
  const budget = new BodyBudget(1_000_000);
  const buffer = new BodyBuffer(100_000, budget);
  const whole = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251));

  for (let at = 0; at < whole.length; at += 777) assert.equal(buffer.add(whole.subarray(at, at + 777)), null);

  assert.deepEqual(buffer.finish(), whole);
  assert.equal(budget.bytes, 0);
});

test('the pieces are copied: their memory may be used again at once', () => {
  const buffer = new BodyBuffer(100, new BodyBudget(1000));
  const piece = Buffer.from('abc');

  buffer.add(piece);
  piece.fill('x');

  assert.equal(buffer.finish().toString(), 'abc');
});

test('one byte over the limit is too large, and what was booked is given back', () => {
  const budget = new BodyBudget(1_000_000);
  const buffer = new BodyBuffer(10, budget);

  assert.equal(buffer.add(Buffer.alloc(10)), null);
  assert.equal(buffer.add(Buffer.alloc(1))?.code, 'body_too_large');
  buffer.free();

  assert.equal(budget.bytes, 0);
});

test('when all bodies together take too much, one more is refused and the others go on', () => {
  const budget = new BodyBudget(40_000);
  const [first, second] = [new BodyBuffer(100_000, budget), new BodyBuffer(100_000, budget)];

  assert.equal(first.add(Buffer.alloc(30_000)), null);
  assert.equal(second.add(Buffer.alloc(20_000))?.code, 'overloaded');
  assert.equal(first.finish().length, 30_000);
});

test('single bytes cost no more than their sum', () => {
  const budget = new BodyBudget(1_000_000);
  const buffer = new BodyBuffer(100_000, budget);

  for (let count = 0; count < 50_000; count += 1) buffer.add(Buffer.of(1));

  assert.ok(budget.bytes <= 100_000);
  assert.equal(buffer.finish().length, 50_000);
});

test('JSON in UTF-8 is JSON however it is written', () => {
  for (const type of ['application/json', 'application/json;charset=utf-8', 'APPLICATION/JSON ; Charset="UTF-8"', 'application/json; odata=none'])
    assert.ok(isJsonType(type), type);
  for (const type of ['', 'text/json', 'application/json2', 'application/json; charset=utf-16', 'application/vnd.api+json', 'json'])
    assert.ok(!isJsonType(type), type);
});
