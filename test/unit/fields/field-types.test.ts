import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldOptions, FieldTypeName } from '../../../proto/fields/field-type.ts';
import { fieldTypes } from '../../../proto/fields/registry.ts';

interface Table {
  readonly type: FieldTypeName;
  readonly options: FieldOptions;
  /** Value, JSON text in the document, text for Postgres. */
  readonly accepted: readonly (readonly [unknown, string, string])[];
  /** Value, code of the fault. */
  readonly refused: readonly (readonly [unknown, string])[];
}

const kept = (text: string): readonly [unknown, string, string] => [text, JSON.stringify(text), text];
const all = (code: string, ...values: readonly unknown[]) => values.map((value) => [value, code] as const);

const tables: readonly Table[] = [
  {
    type: 'text',
    options: {},
    accepted: [kept(''), kept('a"b\\c\n'), kept('日本 😀'), kept('\u2028'), kept('\u0001')],
    refused: all('invalid_type', 1, true, {}, [], 'a\0b', '\ud800', '\udc00x'),
  },
  {
    type: 'text',
    options: { min: 2, max: 4 },
    accepted: [kept('ab'), kept('😀😀'), kept('😀😀😀😀'), kept('abcd')],
    refused: [...all('too_short', '', 'a', '😀'), ...all('too_long', 'abcde', '😀😀😀😀😀', 'x'.repeat(10_000_000))],
  },
  { type: 'text', options: { pattern: '^[a-z]+$' }, accepted: [kept('abc')], refused: all('pattern_mismatch', '', 'ABC', 'abc\n', 'ab1') },
  { type: 'text', options: { pattern: 'b' }, accepted: [kept('abc')], refused: all('pattern_mismatch', 'ac') },
  { type: 'text', options: { pattern: '(?i)^é$' }, accepted: [kept('É')], refused: all('pattern_mismatch', 'e') },
  {
    type: 'number',
    options: { integer: false },
    accepted: [
      [1.5, '1.5', '1.5'],
      ['1.50', '1.5', '1.5'],
      ['-.5e3', '-500', '-500'],
      ['+7.', '7', '7'],
      [-0, '0', '0'],
      [1e300, '1e+300', '1e+300'],
      [5e-324, '5e-324', '5e-324'],
    ],
    refused: all(
      'invalid_type',
      '',
      ' 1',
      '1 ',
      '0x10',
      'NaN',
      'Infinity',
      '1e999',
      Infinity,
      Number.NaN,
      true,
      [1],
      {},
      '1,5',
      '--1',
      '1_000',
      '１',
    ),
  },
  {
    type: 'number',
    options: { integer: true, min: -3, max: 10 },
    accepted: [
      [10, '10', '10'],
      ['-3', '-3', '-3'],
      ['1e1', '10', '10'],
    ],
    refused: [...all('invalid_type', 1.5, '1.5', 2 ** 53, 1e300), ...all('too_small', -4), ...all('too_large', 11)],
  },
  {
    type: 'bool',
    options: {},
    accepted: [
      [true, 'true', 'true'],
      ['true', 'true', 'true'],
      [1, 'true', 'true'],
      [false, 'false', 'false'],
      ['false', 'false', 'false'],
      [0, 'false', 'false'],
    ],
    refused: all('invalid_type', 'TRUE', 'yes', '1', '', 2, -1, [], {}),
  },
  {
    type: 'email',
    options: {},
    accepted: [kept('a@b.co'), kept("o'neil+tag@Sub.Example.COM"), kept('x@xn--bcher-kva.example'), kept(`${'a'.repeat(64)}@example.com`)],
    refused: all(
      'invalid_type',
      1,
      '',
      'a',
      'a@b',
      '@b.co',
      'a@',
      'a@@b.co',
      'a b@c.co',
      'a@b..co',
      '.a@b.co',
      'a.@b.co',
      'a..b@c.co',
      'a@-b.co',
      'a@b-.co',
      'a@b.c',
      'a@b.co\n',
      ' a@b.co',
      'a@[127.0.0.1]',
      '"a"@b.co',
      'ä@b.co',
      'a@bücher.example',
      `${'a'.repeat(65)}@example.com`,
      `a@${'b.'.repeat(130)}co`,
      'a@b.1',
    ),
  },
  {
    type: 'email',
    options: { onlyDomains: ['Example.com'] },
    accepted: [kept('a@EXAMPLE.com')],
    refused: all('domain_not_allowed', 'a@sub.example.com', 'a@example.co'),
  },
  {
    type: 'email',
    options: { exceptDomains: ['spam.example'] },
    accepted: [kept('a@sub.spam.example')],
    refused: all('domain_not_allowed', 'a@Spam.Example'),
  },
  {
    type: 'url',
    options: {},
    accepted: [
      kept('http://a'),
      kept('HTTPS://example.com:8443/p?q=ü#f'),
      kept('https://[::1]/'),
      kept('https://bücher.example/'),
      kept('http://localhost:3000'),
    ],
    refused: [
      ...all(
        'invalid_type',
        1,
        '',
        'example.com',
        'ftp://a',
        'javascript:alert(1)',
        'http:a',
        'http:/a',
        'http://',
        'http:///a',
        'http://?q',
        ' http://a',
        'http://a b',
        'http://a\n',
      ),
      ...all(
        'invalid_type',
        'http://a\\b',
        'http://a:99999',
        'http://[::1',
        'http://%00',
        'data:text/html,x',
        '//a',
        'http://a/\u0007',
        'http://exa mple.com',
      ),
      ...all('too_long', `https://a/${'x'.repeat(2048)}`),
    ],
  },
  {
    type: 'url',
    options: { onlyDomains: ['example.com'] },
    accepted: [kept('https://user@Example.com:1/x')],
    refused: all('domain_not_allowed', 'https://example.com.evil.net', 'https://example.com@evil.net'),
  },
  {
    type: 'date',
    options: {},
    accepted: [kept('0001-01-01'), kept('9999-12-31'), kept('2000-02-29'), kept('2024-02-29')],
    refused: all(
      'invalid_type',
      1,
      '',
      '2023-02-29',
      '1900-02-29',
      '2024-13-01',
      '2024-00-10',
      '2024-04-31',
      '2024-01-00',
      '0000-01-01',
      '24-1-1',
      '2024-1-1',
      '2024-01-01T00:00:00Z',
      '2024-01-01\n',
      '+2024-01-01',
      '10000-01-01',
      'today',
      'infinity',
    ),
  },
  {
    type: 'date',
    options: { min: '2020-01-01', max: '2020-12-31' },
    accepted: [kept('2020-01-01'), kept('2020-12-31')],
    refused: [...all('too_small', '2019-12-31'), ...all('too_large', '2021-01-01')],
  },
  {
    type: 'datetime',
    options: {},
    accepted: [
      ['2026-01-31T12:00:00Z', '"2026-01-31T12:00:00.000Z"', '2026-01-31T12:00:00.000Z'],
      ['2026-01-31t12:00:00.5z', '"2026-01-31T12:00:00.500Z"', '2026-01-31T12:00:00.500Z'],
      ['2026-01-31 12:00:00+02:00', '"2026-01-31T10:00:00.000Z"', '2026-01-31T10:00:00.000Z'],
      ['2026-01-31T23:59:59.999999-00:00', '"2026-01-31T23:59:59.999Z"', '2026-01-31T23:59:59.999Z'],
      ['2016-12-31T23:59:60Z', '"2017-01-01T00:00:00.000Z"', '2017-01-01T00:00:00.000Z'],
      ['1990-12-31T15:59:60.25-08:00', '"1991-01-01T00:00:00.250Z"', '1991-01-01T00:00:00.250Z'],
      ['0001-01-01T00:00:00Z', '"0001-01-01T00:00:00.000Z"', '0001-01-01T00:00:00.000Z'],
      ['0099-06-15T01:00:00+01:00', '"0099-06-15T00:00:00.000Z"', '0099-06-15T00:00:00.000Z'],
      ['9999-12-31T23:59:59.999Z', '"9999-12-31T23:59:59.999Z"', '9999-12-31T23:59:59.999Z'],
    ],
    refused: all(
      'invalid_type',
      1,
      '',
      '2026-01-31',
      '2026-01-31T12:00Z',
      '2026-01-31T12:00:00',
      '2026-01-31T24:00:00Z',
      '2026-01-31T12:60:00Z',
      '2026-01-31T12:00:61Z',
      '2026-01-31T12:00:60Z',
      '2026-02-29T12:00:00Z',
      '2026-01-31T12:00:00.Z',
      '2026-01-31T12:00:00+24:00',
      '2026-01-31T12:00:00+01:60',
      '2026-01-31T12:00:00+0100',
      '2026-01-31T12:00:00 Z',
      '0001-01-01T00:00:00+00:01',
      '9999-12-31T23:59:59-00:01',
      '9999-12-31T23:59:60Z',
      '0000-12-31T23:59:59Z',
      '2026-01-31T12:00:00Z\n',
      '-2026-01-31T12:00:00Z',
      'now',
      `2026-01-31T12:00:00.${'1'.repeat(21)}Z`,
    ),
  },
  {
    type: 'datetime',
    options: { min: '2020-01-01T00:00:00Z', max: '2020-01-02T00:00:00+01:00' },
    accepted: [['2020-01-01T00:00:00Z', '"2020-01-01T00:00:00.000Z"', '2020-01-01T00:00:00.000Z']],
    refused: [...all('too_small', '2020-01-01T00:00:00+00:01'), ...all('too_large', '2020-01-01T23:00:00.001Z')],
  },
  {
    type: 'json',
    options: { maxSize: 9 },
    accepted: [['é1234', '"é1234"', '"é1234"']],
    refused: all('too_many_bytes', { a: 'é' }, 'éé1234', 'xxxxxxxxxx'),
  },
  {
    type: 'json',
    options: {},
    accepted: [
      [[1, 'x'], '[1,"x"]', '[1,"x"]'],
      [false, 'false', 'false'],
      ['', '""', '""'],
    ],
    refused: [],
  },
  {
    type: 'select',
    options: { options: ['a', 'constructor'], maxSelect: 1 },
    accepted: [kept('a'), kept('constructor')],
    refused: [...all('invalid_type', 1, ['a'], {}), ...all('not_an_option', '', 'A', 'b', 'toString', '__proto__')],
  },
  {
    type: 'select',
    options: { options: ['a', 'b', 'c"\\'], maxSelect: 2 },
    accepted: [
      [['b', 'a'], '["b","a"]', '{"b","a"}'],
      [['a', 'a', 'a'], '["a"]', '{"a"}'],
      [['c"\\'], '["c\\"\\\\"]', '{"c\\"\\\\"}'],
    ],
    refused: [...all('invalid_type', 'a', [1], [null], {}), ...all('not_an_option', ['a', 'x'], ['']), ...all('too_many', ['a', 'b', 'c"\\'])],
  },
  {
    type: 'relation',
    options: { targetId: 't', cardinality: '1:N', onDelete: 'SET_NULL' },
    accepted: [kept('a-B_9'), kept('x'.repeat(64))],
    refused: [...all('invalid_type', 1, ['a'], {}), ...all('invalid_id', '', 'a b', 'a/b', 'x'.repeat(65), 'é', 'a\n')],
  },
  {
    type: 'relation',
    options: { targetId: 't', cardinality: 'M:N', onDelete: 'CASCADE' },
    accepted: [
      [['b', 'a'], '["b","a"]', '{"b","a"}'],
      [['NULL'], '["NULL"]', '{"NULL"}'],
    ],
    refused: [
      ...all('invalid_type', 'a', [1], {}, ['a', 'a']),
      ...all('invalid_id', ['a', '']),
      ...all(
        'too_many',
        Array.from({ length: 10_001 }, (_, index) => `i${index}`),
      ),
    ],
  },
];

for (const { type, options, accepted, refused } of tables) {
  test(`${type} ${JSON.stringify(options)} takes what it should and refuses the rest`, () => {
    const check = fieldTypes[type].checker(options);
    const checked = (value: unknown) => check({ value, raw: () => JSON.stringify(value) });

    const taken = accepted.map(([value]) => checked(value));
    const codes = refused.map(([value]) => [value, checked(value)] as const);

    assert.deepEqual(
      taken,
      accepted.map(([, json, sql]) => ({ ok: true, value: { json, sql } })),
    );
    for (const [index, [value, outcome]] of codes.entries()) {
      assert.equal(outcome.ok ? 'accepted' : outcome.fault.code, refused[index]?.[1], JSON.stringify(value)?.slice(0, 60));
      assert.doesNotMatch(outcome.ok ? '' : outcome.fault.message, /\{\w+\}/);
    }
  });
}

const badOptions: readonly (readonly [FieldTypeName, unknown])[] = [
  ['text', { min: -1 }],
  ['text', { max: 0 }],
  ['text', { max: 1.5 }],
  ['text', { pattern: '(' }],
  ['text', { pattern: '(?=a)' }],
  ['text', { pattern: '((a{1000}){1000}){1000}' }],
  ['text', { pattern: 'a'.repeat(501) }],
  ['text', { extra: 1 }],
  ['number', { min: '1' }],
  ['number', { min: Infinity }],
  ['email', { onlyDomains: [] }],
  ['email', { onlyDomains: ['not a domain'] }],
  ['url', { exceptDomains: 'example.com' }],
  ['date', { min: '2023-02-29' }],
  ['datetime', { max: '2023-02-28' }],
  ['json', { maxSize: 0 }],
  ['select', {}],
  ['select', { options: [] }],
  ['select', { options: [' '] }],
  ['select', { options: ['a\0'] }],
  ['select', { options: ['a'], maxSelect: 0 }],
  ['relation', {}],
  ['relation', { relationConfig: {} }],
  ['relation', { relationConfig: { targetSvc: 'x', cardinality: 'N:M' } }],
];

for (const [type, options] of badOptions) {
  test(`${type} does not take the options ${JSON.stringify(options).slice(0, 60)}`, () => {
    assert.equal(fieldTypes[type].options.safeParse(options).success, false);
  });
}

test('options that contradict each other are named', () => {
  const problems = [
    fieldTypes.text.problems({ min: 3, max: 2 }),
    fieldTypes.number.problems({ min: 3, max: 2 }),
    fieldTypes.date.problems({ min: '2020-01-02', max: '2020-01-01' }),
    fieldTypes.datetime.problems({ min: '2020-01-01T00:00:00Z', max: '2020-01-01T00:00:00+01:00' }),
    fieldTypes.email.problems({ onlyDomains: ['a.example'], exceptDomains: ['b.example'] }),
    fieldTypes.select.problems({ options: ['a', 'a'], maxSelect: 1 }),
  ];

  assert.deepEqual(
    problems.map((list) => list.map(({ option }) => option)),
    [['max'], ['max'], ['max'], ['max'], ['exceptDomains'], ['options']],
  );
});

test('a hostile value meets a hostile pattern in bounded time', () => {
  const check = fieldTypes.text.checker({ pattern: '^(([a-z])+.)+[A-Z]([a-z])+$|(a?){300}a{300}$' });

  const started = performance.now();
  const outcomes = ['a'.repeat(2_000), 'a'.repeat(1_000_000)].map((value) => check({ value, raw: () => '' }));
  const tookMs = performance.now() - started;

  assert.deepEqual(
    outcomes.map((outcome) => (outcome.ok ? 'accepted' : outcome.fault.code)),
    ['accepted', 'too_long'],
  );
  assert.ok(tookMs < 2_000, `took ${tookMs} ms`);
});
