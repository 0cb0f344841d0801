import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parse } from 'yaml';
import { yamlText } from '../../../gateway/openapi/yaml-text.ts';

test('plain data reads the same after it was written', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary', maxDepth: 5 }), (value) => {
      assert.deepEqual(parse(yamlText(value)), JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: 2000 },
  );
});

const awkward = [
  '',
  ' ',
  'a ',
  ' a',
  '-',
  '- a',
  '? a',
  ': a',
  'a: b',
  'a #b',
  '#',
  'yes',
  'No',
  'null',
  '~',
  'true',
  '1',
  '1e3',
  '0x1',
  '2026-11-21',
  '"',
  "'",
  '{}',
  '[',
  '*a',
  '&a',
  '!a',
  '%a',
  '@a',
  '`',
  '|',
  '>',
  'a\nb',
  '\t',
  '\0',
  '\u0085',
  '\u2028',
  '\uFEFF',
  'a,b',
  '<<',
  '=',
  '---',
  '...',
  'ä',
  '💥',
];

for (const text of awkward) {
  test(`${JSON.stringify(text)} is text wherever it stands`, () => {
    const value = { [text]: text, list: [text, { [text]: [text] }, [[text]]] };

    assert.deepEqual(parse(yamlText(value)), value);
  });
}

test('it is written for people: blocks, and quotes only where they are needed', () => {
  const text = yamlText({ '200': { ok: true }, openapi: '3.0.3', tags: [{ name: 'Records', empty: {} }], list: ['a', ['b']], none: undefined });

  assert.equal(text, '"200":\n  ok: true\nopenapi: "3.0.3"\ntags:\n  - name: Records\n    empty: {}\nlist:\n  - a\n  -\n    - b\n');
});
