import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { FieldOptions, FieldTypeName } from '../../proto/fields/field-type.ts';
import { fieldTypes } from '../../proto/fields/registry.ts';
import { CollectionsFixture } from './collections-fixture.ts';

let fixture: CollectionsFixture;

before(async () => {
  fixture = await CollectionsFixture.open();
});

after(() => fixture.close());

interface Sample {
  readonly type: FieldTypeName;
  readonly options: FieldOptions;
  readonly values: readonly unknown[];
}

const doubles = fc.sample(fc.double({ noNaN: true, noDefaultInfinity: true }), 3_000);
const texts = fc.sample(
  fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
  300,
);
const instants = fc.sample(fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }), 300).map((ms) => new Date(ms).toISOString());

const samples: readonly Sample[] = [
  { type: 'text', options: {}, values: ['', '"\\/\b\f\n\r\t\u0001\u001f\u007f\u0080\u2028😀', ...texts] },
  {
    type: 'number',
    options: { integer: false },
    values: [
      0,
      -0,
      1,
      1e15,
      999999999999999,
      1e16,
      123456789012345680,
      1e20,
      1e21,
      1.7976931348623157e308,
      5e-324,
      1e-4,
      9.99e-5,
      1e-5,
      1e-6,
      9.9e-7,
      1e-7,
      0.1,
      -1e-300,
      ...doubles,
    ],
  },
  { type: 'bool', options: {}, values: [true, false] },
  { type: 'email', options: {}, values: ['a@b.example'] },
  { type: 'url', options: {}, values: ['https://example.com/"'] },
  { type: 'date', options: {}, values: ['0001-01-01', '2024-02-29', '9999-12-31', '1582-10-10'] },
  {
    type: 'datetime',
    options: {},
    values: ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '1883-11-18T12:00:00-05:00', '2016-12-31T23:59:60Z', ...instants],
  },
  { type: 'json', options: {}, values: [{ b: 1, a: [1.0, '\u2028"'] }, [], '', false, 0] },
  { type: 'select', options: { options: ['a'], maxSelect: 1 }, values: ['a'] },
  { type: 'select', options: { options: ['a', 'b"\\', 'NULL', '{,}'], maxSelect: 4 }, values: [['NULL', 'b"\\', '{,}'], ['a']] },
  { type: 'relation', options: { targetId: 'x', cardinality: '1:N', onDelete: 'CASCADE' }, values: ['a-b'] },
  { type: 'relation', options: { targetId: 'x', cardinality: 'M:N', onDelete: 'CASCADE' }, values: [['b', 'NULL', 'a']] },
];

for (const { type, options, values } of samples) {
  test(`the column of ${type} ${JSON.stringify(options)} gives the same JSON text as the value that was checked`, async () => {
    const fieldType = fieldTypes[type];
    const check = fieldType.checker(options);
    const checked = values.map((value) => {
      const outcome = check({ value, raw: () => JSON.stringify(value) });
      return outcome.ok ? outcome.value : assert.fail(`${JSON.stringify(value)}: ${outcome.fault.message}`);
    });
    const columnType = fieldType.column(options) ?? 'text[]';

    const rows = await fixture.rows<{ json: string }>(
      `select (${fieldType.toJson('sample.value', options)})::text as json
       from (select position, cast(given as ${columnType}) as value from unnest($1::text[]) with ordinality as input (given, position)) sample
       order by position`,
      [checked.map(({ sql }) => sql)],
    );

    assert.deepEqual(
      rows.map(({ json }, index) => sameNumber(json, checked[index]?.json)),
      checked.map(({ json }) => json),
    );
  });
}

test('what only a hand can write into a column does not break the reading of it', async () => {
  const expressions = [
    fieldTypes.number.toJson(`'NaN'::double precision`, {}),
    fieldTypes.number.toJson(`'-Infinity'::double precision`, {}),
    fieldTypes.datetime.toJson(`'infinity'::timestamptz(3)`, {}),
  ];

  const rows = await fixture.rows(`select ${expressions.map((expression, index) => `${expression} as v${index}`).join()}`);

  assert.deepEqual(rows, [{ v0: null, v1: null, v2: null }]);
});

/** At some powers of two Postgres prints one digit more than ECMAScript; the number is the same. */
function sameNumber(text: string, expected: string | undefined): string | undefined {
  return text !== expected && Number(text) === Number(expected) ? expected : text;
}
