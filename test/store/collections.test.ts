import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CollectionsFixture, refusal } from './collections-fixture.ts';

let fixture: CollectionsFixture;

before(async () => {
  fixture = await CollectionsFixture.open();
});

after(() => fixture.close());

const locked = { listRule: null, viewRule: null, createRule: null, updateRule: null, deleteRule: null };

const everyType = [
  { name: 'title', type: 'text', required: true, min: 1, max: 80, pattern: '^[A-Z]' },
  { name: 'views', type: 'number', integer: true, min: 0, default: '7' },
  { name: 'live', type: 'bool', default: true },
  { name: 'mail', type: 'email', unique: true, onlyDomains: ['example.com'] },
  { name: 'site', type: 'url' },
  { name: 'day', type: 'date', min: '2000-01-01' },
  { name: 'moment', type: 'datetime', default: '2026-01-31T13:00:00+01:00' },
  { name: 'extra', type: 'json', maxSize: 1000, hidden: true },
  { name: 'state', type: 'select', options: ['draft', 'done'] },
  { name: 'tags', type: 'select', options: ['a', 'b'], maxSelect: 2, default: ['b'] },
  { name: 'owner', type: 'relation', relationConfig: { targetSvc: 'People', cardinality: '1:N', onDelete: 'CASCADE' } },
  { name: 'twin', type: 'relation', relationConfig: { targetSvc: 'all_types', cardinality: '1:1' } },
  { name: 'friends', type: 'relation', relationConfig: { targetSvc: 'people', cardinality: 'M:N', onDelete: 'RESTRICT' } },
];

test('a collection of every type is answered in full and backed by a table with typed columns', async () => {
  await fixture.create({ name: 'people' });
  const made = await fixture.create({
    name: 'all_types',
    fields: everyType,
    indexes: [{ fields: ['state', '-moment'] }, { fields: ['title', 'day'], unique: true }],
    rules: { listRule: '', subscribeRule: null },
  });

  assert.deepEqual(Object.keys(made), ['id', 'name', 'type', 'system', 'fields', 'indexes', 'rules', 'created_at', 'updated_at']);
  assert.match(made.id, /^[a-z0-9]{12}$/);
  assert.deepEqual({ type: made['type'], system: made['system'] }, { type: 'base', system: false });
  assert.deepEqual(made.rules, { ...locked, listRule: '', subscribeRule: null });
  assert.deepEqual(made.indexes, [
    { fields: ['state', '-moment'], unique: false },
    { fields: ['title', 'day'], unique: true },
  ]);
  const base = { required: false, unique: false, hidden: false, default: null };
  const { id: _, ...title } = made.fields[0] ?? assert.fail();
  assert.deepEqual(title, { ...base, name: 'title', type: 'text', required: true, min: 1, max: 80, pattern: '^[A-Z]' });
  assert.deepEqual(
    made.fields.map((field) => field['default']),
    [null, 7, true, null, null, null, '2026-01-31T12:00:00.000Z', null, null, ['b'], null, null, null],
  );
  assert.deepEqual(made.fields[10]?.['relationConfig'], { targetSvc: 'people', cardinality: '1:N', onDelete: 'CASCADE' });
  assert.deepEqual(made.fields[11]?.['relationConfig'], { targetSvc: 'all_types', cardinality: '1:1', onDelete: 'SET_NULL' });
  const columns = await fixture.rows<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = 'data.all_types'::regclass and attnum > 0 and not attisdropped order by attnum`,
  );
  assert.deepEqual(Object.fromEntries(columns.map(({ name, type }) => [name, type])), {
    id: 'text',
    created_at: 'timestamp(3) with time zone',
    updated_at: 'timestamp(3) with time zone',
    _seq: 'bigint',
    _doc: 'text',
    _doc_v: 'bigint',
    title: 'text',
    views: 'double precision',
    live: 'boolean',
    mail: 'text',
    site: 'text',
    day: 'date',
    moment: 'timestamp(3) with time zone',
    extra: 'json',
    state: 'text',
    tags: 'text[]',
    owner: 'text',
    twin: 'text',
  });
  assert.deepEqual(await fixture.get('ALL_TYPES'), made);
});

test('what an answer shows can be sent back, and changes nothing', async () => {
  const made = await fixture.create({
    name: 'round',
    fields: [{ name: 'one', type: 'relation', relationConfig: { targetSvc: 'round', cardinality: 'M:N' } }],
    indexes: [{ fields: ['-created_at'] }],
  });
  const [{ version } = { version: '' }] = await fixture.rows<{ version: string }>('select version from svc.catalogue');

  const same = await fixture.update('round', made);

  assert.deepEqual(same, made);
  assert.deepEqual(await fixture.rows('select version from svc.catalogue'), [{ version }]);
});

test('a row inserted by hand needs an id at most', async () => {
  await fixture.create({
    name: 'by_hand',
    fields: [
      { name: 'tags', type: 'select', options: ['x'], maxSelect: 2 },
      { name: 'n', type: 'number', default: 3 },
    ],
  });

  const rows = await fixture.rows(
    `insert into data.by_hand default values returning length(id) as id, _seq is not null as seq, created_at = updated_at as times, _doc, _doc_v, tags, n`,
  );

  assert.deepEqual(rows, [{ id: 36, seq: true, times: true, _doc: null, _doc_v: null, tags: [], n: 3 }]);
});

test("an edit by hand marks the document as stale, the service's own writes do not", async () => {
  const { fields } = await fixture.create({
    name: 'edited',
    fields: [
      { name: 'j', type: 'json' },
      { name: 'others', type: 'relation', relationConfig: { targetSvc: 'edited', cardinality: 'M:N' } },
    ],
  });
  const join = `data."_mn_${fields[1]?.id}"`;
  const version = async () =>
    (await fixture.rows<{ id: string; v: string | null }>('select id, _doc_v as v from data.edited order by id')).map(({ v }) => v);
  await fixture.rows(`insert into data.edited (id, j, _doc, _doc_v) values ('a', '{"x":1}', 'A', 5), ('b', '1', 'B', 5)`);

  await fixture.rows(`update data.edited set j = '{"x":1}', _doc = 'A2', _doc_v = 6 where id = 'a'`);
  assert.deepEqual(await version(), ['6', '5']);
  await fixture.rows(`update data.edited set j = j`);
  assert.deepEqual(await version(), ['6', '5']);
  await fixture.rows(`update data.edited set j = '{"x": 1}' where id = 'a'`);
  assert.deepEqual(await version(), [null, '5']);
  await fixture.rows(`insert into ${join} (record, target, position) values ('b', 'a', 0)`);
  assert.deepEqual(await version(), [null, null]);
  await fixture.rows(`with write as (update data.edited set _doc = 'B2', _doc_v = 7 where id = 'b') delete from ${join}`);
  assert.deepEqual(await version(), [null, '7']);
});

test('all that is wrong with a definition is told at once, each place by its path', async () => {
  const refused = await refusal(
    fixture.create({
      name: 'select * from x; --',
      type: 'view',
      colour: 'red',
      rules: { listRule: '@request.auth.id !=', viewRule: 7, banRule: '' },
      fields: [
        { name: 'id', type: 'text' },
        { name: 'xmin', type: 'text' },
        { name: 'a_via_b', type: 'text' },
        { name: 'ok', type: 'text', min: 5, max: 3, color: 'x' },
        { name: 'Twice', type: 'text' },
        { name: 'tWICE', type: 'bool' },
        { name: 'p', type: 'text', pattern: '(' },
        { name: 'k', type: 'blob' },
        { type: 'text' },
        { name: 's', type: 'select' },
        { name: 'r', type: 'relation', relationConfig: { targetSvc: 'nowhere', cardinality: '1:N', onDelete: 'EXPLODE' } },
        { name: 'r2', type: 'relation', relationConfig: { targetSvc: 'nowhere', cardinality: '1:N' } },
        { name: 'd', type: 'number', default: 'many' },
        { name: 'u', type: 'json', unique: true },
        'text',
      ],
      indexes: [{ fields: ['Twice', 'Twice'] }, { fields: ['u'] }, { fields: [] }, { fields: ['Twice'], kind: 'gin' }],
    }),
  );

  assert.equal(refused.code, 'validation_failed');
  assert.deepEqual(refused.data, {
    colour: 'unknown_key',
    name: 'invalid_name',
    type: 'invalid_option',
    'fields.0.name': 'reserved_name',
    'fields.1.name': 'reserved_name',
    'fields.2.name': 'reserved_name',
    'fields.3.color': 'unknown_key',
    'fields.3.max': 'invalid_option',
    'fields.6.pattern': 'invalid_option',
    'fields.7.type': 'invalid_option',
    'fields.8.name': 'required',
    'fields.9.options': 'required',
    'fields.10.relationConfig.onDelete': 'invalid_option',
    'fields.14': 'invalid_type',
    'indexes.2.fields': 'too_few',
    'indexes.3.kind': 'unknown_key',
    'rules.viewRule': 'invalid_type',
    'rules.listRule': 'invalid_rule',
    'rules.banRule': 'unknown_key',
    'fields.5.name': 'duplicate_name',
    'fields.11.relationConfig.targetSvc': 'unknown_collection',
    'fields.12.default': 'invalid_type',
    'fields.13.unique': 'invalid_option',
    'indexes.0.fields': 'duplicate_name',
    'indexes.1.fields.0': 'invalid_option',
  });
});

test('an index of a field that is not there is refused by its place', async () => {
  const refused = await refusal(fixture.create({ name: 'indexed', fields: [{ name: 'a', type: 'text' }], indexes: [{ fields: ['a', '-nothing'] }] }));

  assert.deepEqual(refused.data, { 'indexes.0.fields.1': 'unknown_field' });
});

for (const name of [
  'subscribe',
  'Subscribe',
  '_users',
  'a_via_b',
  'a_VIA_b',
  '',
  'a'.repeat(64),
  '1a',
  'naïve',
  'а',
  'a b',
  '../a',
  'a"b',
  'a\n',
  'ix_abcdefghijkl',
  'a.b',
]) {
  test(`the collection name ${JSON.stringify(name.slice(0, 20))} is refused`, async () => {
    const refused = await refusal(fixture.create({ name }));

    assert.equal(refused.code, 'validation_failed');
    assert.deepEqual(Object.keys(refused.data), ['name']);
  });
}

test('names at the edge of what is allowed work, also those of JavaScript and SQL', async () => {
  const names = ['a'.repeat(63), 'constructor', 'toString', 'hasOwnProperty', 'select', 'table', 'user', 'order', 'A', 'x_'];

  for (const name of names)
    await fixture.create({
      name,
      fields: names.map((field) => ({ name: `${field}`.slice(0, 63), type: 'text' })).concat({ name: 'valueOf', type: 'text' }),
    });

  for (const name of names) assert.equal((await fixture.get(name)).fields.length, names.length + 1);
  for (const name of names) await fixture.drop(name);
});

test('prototype keys are keys like others: unknown, and named', async () => {
  const refused = await refusal(
    fixture.create('{"name":"proto","__proto__":{"type":"base"},"constructor":1,"fields":[{"name":"a","type":"text","__proto__":{"x":1}}]}'),
  );

  assert.deepEqual({ ...refused.data }, { ['__proto__']: 'unknown_key', constructor: 'unknown_key', 'fields.0.__proto__': 'unknown_key' });
});

for (const body of ['[]', 'null', '"x"', '7', 'true']) {
  test(`the body ${body} is refused as no object`, async () => {
    assert.equal((await refusal(fixture.create(body))).code, 'bad_request');
    assert.equal((await refusal(fixture.update('people', body))).code, 'bad_request');
  });
}

test('malformed JSON is refused as such', async () => {
  assert.equal((await refusal(fixture.create('{"name":'))).code, 'malformed_json');
});

test('more than 500 fields are refused, 500 are not', async () => {
  const fields = Array.from({ length: 501 }, (_, index) => ({ name: `f${index}`, type: 'number' }));

  const refused = await refusal(fixture.create({ name: 'wide', fields }));
  const made = await fixture.create({ name: 'wide', fields: fields.slice(1) });

  assert.deepEqual(refused.data, { fields: 'too_many' });
  assert.equal(made.fields.length, 500);
});

test('a name that is taken is a conflict, whatever its case', async () => {
  await fixture.create({ name: 'taken' });

  assert.equal((await refusal(fixture.create({ name: 'TAKEN' }))).code, 'collection_exists');
  assert.equal((await refusal(fixture.update('people', { name: 'Taken' }))).code, 'collection_exists');
});

test('a refused create leaves nothing behind', async () => {
  await fixture.rows('create table data.occupied (x int)');
  const present = await fixture.list();

  const refused = await refusal(fixture.create({ name: 'occupied' }));

  assert.equal(refused.code, 'data_conflict');
  assert.deepEqual(await fixture.list(), present);
});

test('what is not there is not found', async () => {
  assert.equal((await refusal(fixture.get('nothing'))).code, 'collection_not_found');
  assert.equal((await refusal(fixture.update('nothing', {}))).code, 'collection_not_found');
  assert.equal((await refusal(fixture.drop('nothing'))).code, 'collection_not_found');
  assert.equal((await refusal(fixture.truncate('nothing'))).code, 'collection_not_found');
});

test('id, type and system of a collection cannot be changed', async () => {
  const refused = await refusal(fixture.update('people', { id: 'other', system: true }));

  assert.deepEqual(refused.data, { id: 'not_changeable', system: 'not_changeable' });
});

test('rules merge one by one, and only "" and null are taken', async () => {
  await fixture.create({ name: 'rules_merge', rules: { listRule: '', viewRule: '' } });

  const updated = await fixture.update('rules_merge', { rules: { listRule: null } });

  assert.deepEqual(updated.rules, { ...locked, viewRule: '' });
});

test('a collection that others relate to is not dropped, and says which; one that relates to itself is', async () => {
  await fixture.create({ name: 'target' });
  await fixture.create({ name: 'pointing', fields: [{ name: 't', type: 'relation', relationConfig: { targetSvc: 'target', cardinality: 'M:N' } }] });
  await fixture.create({ name: 'selfish', fields: [{ name: 't', type: 'relation', relationConfig: { targetSvc: 'selfish', cardinality: 'M:N' } }] });

  const refused = await refusal(fixture.drop('target'));
  await fixture.drop('selfish');
  await fixture.drop('pointing');
  await fixture.drop('target');

  assert.equal(refused.code, 'collection_referenced');
  assert.match(refused.message, /pointing/);
  assert.deepEqual(
    await fixture.rows(
      `select 1 from pg_class where relnamespace = 'data'::regnamespace and relname like '\\_mn\\_%' and relkind = 'r' and not exists (select from svc.collections where definition::text like '%' || substr(relname, 5) || '%')`,
    ),
    [],
  );
});
