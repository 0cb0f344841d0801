import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SvcError } from '../../../proto/errors/svc-error.ts';
import { compact, memberTexts, parseJson } from '../../../proto/values/json.ts';

const parse = (text: string): unknown => parseJson(Buffer.from(text)).value;
const refusal = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof SvcError) return `${error.status} ${error.message}`;
    throw error;
  }
  return 'accepted';
};

test('a body at the nesting limit is read, one level deeper is refused', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

  assert.ok(parse(nested(64)));
  assert.match(
    refusal(() => parse(nested(65))),
    /^400 .*nested deeper than 64/,
  );
  assert.match(
    refusal(() => parse(nested(200_000))),
    /^400 .*nested deeper than 64/,
  );
});

test('brackets inside strings do not count as nesting', () => {
  const text = JSON.stringify({ a: '['.repeat(500), b: '"'.repeat(9), c: '\\'.repeat(7) });

  assert.deepEqual(parse(text), JSON.parse(text));
});

for (const [what, bytes] of [
  ['nothing', Buffer.alloc(0)],
  ['half an object', Buffer.from('{"a":1')],
  ['an unclosed string', Buffer.from('{"a":"x')],
  ['a trailing comma', Buffer.from('{"a":1,}')],
  ['two values', Buffer.from('{} {}')],
  ['NaN', Buffer.from('{"a":NaN}')],
  ['broken UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
  ['a NUL escape', Buffer.from('{"a":"\\u0000"}')],
  ['a NUL escape in a key', Buffer.from('{"\\u0000":1}')],
  ['half of a surrogate pair', Buffer.from('{"a":"\\ud83d"}')],
] as const) {
  test(`${what} is refused as malformed JSON`, () => {
    assert.match(
      refusal(() => parseJson(bytes)),
      /^400 The body is not valid JSON/,
    );
  });
}

test('an escaped backslash before u0000 is text, not NUL', () => {
  assert.deepEqual(parse('{"a":"\\\\u0000"}'), { a: '\\u0000' });
});

test('prototype keys are plain data', () => {
  const value = parse('{"__proto__":{"polluted":true},"constructor":1}') as object;

  assert.ok(Object.hasOwn(value, '__proto__'));
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
});

test('the texts of members are those of the source, for any object and any white space', () => {
  const spacing = fc.constantFrom('', ' ', '\n', '\t', ' \r\n ');
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), spacing, spacing, (object, before, after) => {
      const source = `${before}{${Object.entries(object)
        .map(([key, value]) => `${after}${JSON.stringify(key)}${before}:${after}${JSON.stringify(value, null, before === '' ? 0 : 2)}${before}`)
        .join(',')}}${after}`;

      const texts = memberTexts(source);

      assert.deepEqual([...texts.keys()].toSorted(), Object.keys(object).toSorted());
      for (const [key, text] of texts) assert.equal(text, JSON.stringify(object[key]));
    }),
  );
});

test('the last of two equal keys wins', () => {
  assert.deepEqual(
    [...memberTexts('{"a":1,"b":2,"a":3}')],
    [
      ['a', '3'],
      ['b', '2'],
    ],
  );
});

test('compacting keeps digits and spaces inside strings', () => {
  assert.equal(compact('{ "a b" : [ 1.0 , 12345678901234567890 ] , "c" : " \\" " }'), '{"a b":[1.0,12345678901234567890],"c":" \\" "}');
});
