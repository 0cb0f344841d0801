import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CollectionsFixture, refusal, type Json } from './collections-fixture.ts';

let fixture: CollectionsFixture;

before(async () => {
  fixture = await CollectionsFixture.open();
  await fixture.create({ name: 'targets' });
  await fixture.rows(`insert into data.targets (id) values ('t1'), ('t2')`);
});

after(() => fixture.close());

const relation = (cardinality: string, targetSvc = 'targets') => ({ type: 'relation', relationConfig: { targetSvc, cardinality } });

interface Conversion {
  readonly from: Json;
  readonly to: Json;
  /** What the column holds, as SQL; and what it holds afterwards, as JSON. */
  readonly values: readonly (readonly [string, unknown])[];
  /** Values that refuse the change. */
  readonly refused?: readonly string[];
}

const conversions: readonly Conversion[] = [
  {
    from: { type: 'text' },
    to: { type: 'number' },
    values: [
      [`'12.50'`, 12.5],
      [`'-1e3'`, -1000],
      [`''`, null],
      ['null', null],
    ],
    refused: [`'twelve'`, `'NaN'`, `'1e999'`, `' 1'`],
  },
  {
    from: { type: 'text' },
    to: { type: 'bool' },
    values: [
      [`'true'`, true],
      [`'0'`, false],
      [`''`, null],
    ],
    refused: [`'yes'`],
  },
  { from: { type: 'text' }, to: { type: 'date' }, values: [[`'2024-02-29'`, '2024-02-29']], refused: [`'2023-02-29'`, `'today'`, `'infinity'`] },
  {
    from: { type: 'text' },
    to: { type: 'datetime' },
    values: [[`'2024-02-29T12:00:00+02:00'`, '2024-02-29T10:00:00+00:00']],
    refused: [`'2024-02-29'`, `'now'`, `'2024-02-29T25:00:00Z'`],
  },
  {
    from: { type: 'text' },
    to: { type: 'email' },
    values: [
      [`'a@b.example'`, 'a@b.example'],
      [`''`, null],
    ],
    refused: [`'a@b'`],
  },
  { from: { type: 'text' }, to: { type: 'url' }, values: [[`'https://a.example/x'`, 'https://a.example/x']], refused: [`'ftp://a.example'`] },
  {
    from: { type: 'text' },
    to: { type: 'json' },
    values: [
      [`'a "b"'`, 'a "b"'],
      [`''`, ''],
      ['null', null],
    ],
  },
  {
    from: { type: 'text' },
    to: { type: 'select', options: ['x', `y'`] },
    values: [
      [`'x'`, 'x'],
      [`'y'''`, `y'`],
      [`''`, null],
    ],
    refused: [`'z'`],
  },
  {
    from: { type: 'text' },
    to: { type: 'select', options: ['x', 'y'], maxSelect: 2 },
    values: [
      [`'x'`, ['x']],
      [`''`, []],
      ['null', []],
    ],
    refused: [`'z'`],
  },
  {
    from: { type: 'text' },
    to: relation('1:N'),
    values: [
      [`'t1'`, 't1'],
      [`''`, null],
    ],
    refused: [`'t9'`],
  },
  {
    from: { type: 'text' },
    to: relation('1:1'),
    values: [
      [`'t1'`, 't1'],
      ['null', null],
    ],
    refused: [`'t1'), ('again', 't1'`],
  },
  {
    from: { type: 'number' },
    to: { type: 'text' },
    values: [
      ['12.5', '12.5'],
      ['1e21', '1e+21'],
      ['1e20', '100000000000000000000'],
      ['1e-7', '1e-7'],
    ],
  },
  {
    from: { type: 'number' },
    to: { type: 'bool' },
    values: [
      ['1', true],
      ['0', false],
    ],
    refused: ['2'],
  },
  {
    from: { type: 'bool' },
    to: { type: 'number' },
    values: [
      ['true', 1],
      ['false', 0],
      ['null', null],
    ],
  },
  { from: { type: 'bool' }, to: { type: 'text' }, values: [['true', 'true']] },
  { from: { type: 'date' }, to: { type: 'datetime' }, values: [[`'2024-02-29'`, '2024-02-29T00:00:00+00:00']] },
  { from: { type: 'datetime' }, to: { type: 'date' }, values: [[`'2024-02-29T00:00:00Z'`, '2024-02-29']], refused: [`'2024-02-29T00:00:01Z'`] },
  { from: { type: 'datetime' }, to: { type: 'text' }, values: [[`'2024-02-29T10:00:00.1+02:00'`, '2024-02-29T08:00:00.100Z']] },
  {
    from: { type: 'json' },
    to: { type: 'text' },
    values: [
      [`'"a\\"b"'`, 'a"b'],
      [`'{"k": 1}'`, '{"k": 1}'],
    ],
  },
  {
    from: { type: 'json' },
    to: { type: 'number' },
    values: [
      ["'7.5'", 7.5],
      [`'"8"'`, 8],
    ],
    refused: [`'[1]'`],
  },
  {
    from: { type: 'select', options: ['x', 'y'] },
    to: { type: 'select', options: ['x', 'y'], maxSelect: 2 },
    values: [
      [`'x'`, ['x']],
      ['null', []],
    ],
  },
  {
    from: { type: 'select', options: ['x', 'y'], maxSelect: 2 },
    to: { type: 'select', options: ['x'] },
    values: [
      [`'{x}'`, 'x'],
      [`'{}'`, null],
    ],
    refused: [`'{x,y}'`, `'{y}'`],
  },
  {
    from: { type: 'select', options: ['x', 'y'], maxSelect: 2 },
    to: { type: 'json' },
    values: [
      [`'{y,x}'`, ['y', 'x']],
      [`'{}'`, null],
    ],
  },
  {
    from: { type: 'select', options: ['t1', 't2'], maxSelect: 2 },
    to: { type: 'text' },
    values: [
      [`'{t1,t2}'`, '["t1","t2"]'],
      [`'{}'`, null],
    ],
  },
  { from: relation('1:N'), to: { type: 'text' }, values: [[`'t1'`, 't1']] },
];

for (const { from, to, values, refused = [] } of conversions) {
  const title = (field: Json) =>
    `${String(field['type'])}${field['maxSelect'] === 2 ? ' list' : ''}${JSON.stringify(field['relationConfig'] ?? '').match(/\w:\w/)?.[0] ?? ''}`;
  test(`values go over whole from ${title(from)} to ${title(to)}, or the change is refused`, async () => {
    for (const value of refused) {
      await fixture.create({ name: 'converted', fields: [{ name: 'field', ...from }] });
      await fixture.rows(`insert into data.converted (id, field) values ('r', ${value})`);
      const answer = await refusal(fixture.update('converted', { fields: [{ name: 'field', ...to }] }));
      assert.deepEqual([answer.code, answer.data], ['data_conflict', { 'fields.0': 'invalid_option' }], `${value}: ${answer.message}`);
      assert.match(answer.message, /field/);
      await fixture.drop('converted');
    }
    await fixture.create({ name: 'converted', fields: [{ name: 'field', ...from }] });
    for (const [index, [value]] of values.entries()) await fixture.rows(`insert into data.converted (id, field) values ('r${index}', ${value})`);

    await fixture.update('converted', { fields: [{ name: 'field', ...to }] });

    const rows = await fixture.rows<{ field: unknown }>(`select to_json(field) as field from data.converted order by id`);
    assert.deepEqual(
      rows.map(({ field }) => field),
      values.map(([, expected]) => expected),
    );
    await fixture.drop('converted');
  });
}

test('one relation becomes many and goes back, order and all; many values do not become one', async () => {
  const made = await fixture.create({ name: 'links', fields: [{ name: 'l', ...relation('1:N') }] });
  await fixture.rows(`insert into data.links (id, l) values ('r1', 't1'), ('r2', null)`);
  const join = `data."_mn_${made.fields[0]?.id}"`;

  await fixture.update('links', { fields: [{ name: 'l', ...relation('M:N') }] });
  assert.deepEqual(await fixture.rows(`select record, target, position from ${join}`), [{ record: 'r1', target: 't1', position: 0 }]);
  await fixture.rows(`insert into ${join} values ('r1', 't2', 1)`);
  const refused = await refusal(fixture.update('links', { fields: [{ name: 'l', ...relation('1:N') }] }));
  assert.equal(refused.code, 'data_conflict');
  await fixture.rows(`delete from ${join} where target = 't1'`);
  await fixture.update('links', { fields: [{ name: 'l', ...relation('1:1') }] });

  assert.deepEqual(await fixture.rows('select id, l from data.links order by id'), [
    { id: 'r1', l: 't2' },
    { id: 'r2', l: null },
  ]);
  assert.deepEqual(await fixture.rows(`select to_regclass('${join}') as gone`), [{ gone: null }]);
});

test('a relation that points elsewhere is checked against its new target', async () => {
  await fixture.create({ name: 'elsewhere' });
  await fixture.rows(`insert into data.elsewhere (id) values ('t1')`);
  await fixture.create({
    name: 'pointing',
    fields: [
      { name: 'p', ...relation('1:N') },
      { name: 'm', ...relation('M:N') },
    ],
  });
  await fixture.rows(`insert into data.pointing (id, p) values ('a', 't1'), ('b', 't2')`);
  const fields = [
    { name: 'p', ...relation('1:N', 'elsewhere') },
    { name: 'm', ...relation('M:N', 'elsewhere') },
  ];

  const refused = await refusal(fixture.update('pointing', { fields }));
  await fixture.rows(`update data.pointing set p = null where id = 'b'`);
  const updated = await fixture.update('pointing', { fields });
  await fixture.drop('pointing');

  assert.deepEqual([refused.code, refused.data], ['data_conflict', { 'fields.0': 'invalid_option' }]);
  assert.deepEqual(
    updated.fields.map((field) => (field['relationConfig'] as Json)['targetSvc']),
    ['elsewhere', 'elsewhere'],
  );
});
