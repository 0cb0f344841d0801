import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CollectionsFixture, refusal, type CollectionAnswer } from './collections-fixture.ts';

let fixture: CollectionsFixture;

before(async () => {
  fixture = await CollectionsFixture.open();
  await fixture.create({ name: 'targets' });
  await fixture.rows(`insert into data.targets (id) values ('t1'), ('t2')`);
});

after(() => fixture.close());

const relation = (cardinality: string, targetSvc = 'targets') => ({ type: 'relation', relationConfig: { targetSvc, cardinality } });

async function docVersion(name: string): Promise<number> {
  const [row] = await fixture.rows<{ v: string }>('select doc_version as v from svc.collections where name = $1', [name]);
  return Number(row?.v);
}

test('fields are renamed by id, dropped when left out, added when new; values, indexes and relations follow', async () => {
  const made = await fixture.create({
    name: 'moving',
    fields: [
      { name: 'a', type: 'text' },
      { name: 'b', type: 'number' },
      { name: 'c', ...relation('1:N') },
    ],
    indexes: [{ fields: ['a', '-b'] }, { fields: ['b'] }],
  });
  await fixture.rows(`insert into data.moving (id, a, b, c) values ('r', 'text', 5, 't1')`);
  const [a, , c] = made.fields;

  const updated = await fixture.update('moving', {
    name: 'moved',
    fields: [
      { ...c, name: 'a' },
      { ...a, name: 'first' },
      { name: 'added', type: 'bool', default: true },
    ],
  });

  assert.deepEqual(
    updated.fields.map(({ name, id }) => [name, id === a?.id || id === c?.id]),
    [
      ['a', true],
      ['first', true],
      ['added', false],
    ],
  );
  assert.deepEqual(updated.indexes, []);
  assert.deepEqual(await fixture.rows('select id, a, first, added from data.moved'), [{ id: 'r', a: 't1', first: 'text', added: true }]);
  assert.equal((await refusal(fixture.get('moving'))).code, 'collection_not_found');
});

test('two fields swap their names, and their indexes follow', async () => {
  const {
    fields: [a, b],
  } = await fixture.create({
    name: 'swap',
    fields: [
      { name: 'a', type: 'text' },
      { name: 'b', type: 'number' },
    ],
    indexes: [{ fields: ['a'] }],
  });
  await fixture.rows(`insert into data.swap (id, a, b) values ('r', 'text', 5)`);

  const updated = await fixture.update('swap', {
    fields: [
      { ...a, name: 'b' },
      { ...b, name: 'a' },
    ],
  });

  assert.deepEqual(await fixture.rows('select a, b from data.swap'), [{ a: 5, b: 'text' }]);
  assert.deepEqual(updated.indexes, [{ fields: ['b'], unique: false }]);
});

test('a renamed collection keeps its relations, under its new name, and its old name is free', async () => {
  const first = await fixture.create({ name: 'old_name', fields: [{ name: 'self', ...relation('1:N', 'old_name') }] });
  await fixture.create({ name: 'follower', fields: [{ name: 'f', ...relation('1:N', 'old_name') }] });

  await fixture.update('old_name', { name: 'new_name', fields: [{ name: 'self', ...relation('1:N', 'new_name') }] });
  const second = await fixture.create({ name: 'old_name' });

  assert.notEqual(second.id, first.id);
  assert.deepEqual((await fixture.get('follower')).fields[0]?.['relationConfig'], {
    targetSvc: 'new_name',
    cardinality: '1:N',
    onDelete: 'SET_NULL',
  });
  assert.deepEqual((await fixture.get('new_name')).fields[0]?.['relationConfig'], {
    targetSvc: 'new_name',
    cardinality: '1:N',
    onDelete: 'SET_NULL',
  });
});

test('the version of documents moves with what a document shows, and with nothing else', async () => {
  const { fields } = await fixture.create({ name: 'versions', fields: [{ name: 'a', type: 'text' }] });
  const start = await docVersion('versions');

  await fixture.update('versions', { rules: { listRule: '' } });
  await fixture.update('versions', { name: 'versions2', indexes: [{ fields: ['a'] }] });
  await fixture.update('versions2', { fields: [{ ...fields[0], required: true, unique: true, min: 1 }] });
  assert.equal(await docVersion('versions2'), start);
  for (const change of [{ hidden: true }, { hidden: false, name: 'b' }, { name: 'b', type: 'number', min: 0 }]) {
    const earlier = await docVersion('versions2');
    await fixture.update('versions2', { fields: [{ id: fields[0]?.id, name: 'a', type: 'text', ...change }] });
    assert.ok((await docVersion('versions2')) > earlier, JSON.stringify(change));
  }
});

test('what the stored records violate is refused, names the field, and changes nothing', async () => {
  const made = await fixture.create({
    name: 'strict',
    fields: [
      { name: 'a', type: 'text' },
      { name: 'm', ...relation('M:N') },
    ],
  });
  await fixture.rows(`insert into data.strict (id, a) values ('r1', 'same'), ('r2', 'same'), ('r3', '  ')`);
  const [a, m] = made.fields;

  const required = await refusal(fixture.update('strict', { fields: [{ ...a, required: true }, m] }));
  const unique = await refusal(fixture.update('strict', { fields: [{ ...a, unique: true }, m] }));
  const links = await refusal(fixture.update('strict', { fields: [a, { ...m, required: true }] }));
  const added = await refusal(fixture.update('strict', { fields: [a, m, { name: 'n', type: 'number', required: true }] }));
  const index = await refusal(fixture.update('strict', { indexes: [{ fields: ['a'], unique: true }] }));

  assert.deepEqual(
    [required, unique, links, added, index].map(({ code }) => code),
    Array(5).fill('data_conflict'),
  );
  assert.deepEqual(
    [required, unique, links, added].map(({ data }) => Object.keys(data)),
    [['fields.0'], ['fields.0'], ['fields.1'], ['fields.2']],
  );
  assert.match(index.message, /equal values of a/);
  assert.deepEqual(await fixture.get('strict'), made);
});

test('a required field with a default is added to records that exist', async () => {
  await fixture.create({ name: 'filled' });
  await fixture.rows(`insert into data.filled (id) values ('r')`);

  await fixture.update('filled', {
    fields: [
      { name: 'n', type: 'number', required: true, default: 4 },
      { name: 's', type: 'select', options: ['x'], maxSelect: 3 },
    ],
  });

  assert.deepEqual(await fixture.rows('select id, n, s from data.filled'), [{ id: 'r', n: 4, s: [] }]);
});

test('values too long for an index refuse the index, not the service', async () => {
  await fixture.create({ name: 'lengthy', fields: [{ name: 'a', type: 'text' }] });
  await fixture.rows(`insert into data.lengthy (id, a) select 'r', string_agg(md5(n::text), '') from generate_series(1, 300) n`);

  const refused = await refusal(fixture.update('lengthy', { indexes: [{ fields: ['a'] }] }));

  assert.deepEqual([refused.code, refused.data], ['data_conflict', { 'fields.0': 'invalid_option' }]);
});

test('a view that somebody has made on the table refuses the drop of its column, not the service', async () => {
  const made = await fixture.create({ name: 'viewed', fields: [{ name: 'a', type: 'text' }] });
  await fixture.rows('create view public.looking as select a from data.viewed');

  const dropped = await refusal(fixture.update('viewed', { fields: [] }));
  const retyped = await refusal(fixture.update('viewed', { fields: [{ name: 'a', type: 'number' }] }));
  const gone = await refusal(fixture.drop('viewed'));

  assert.deepEqual([dropped.code, retyped.code, gone.code], Array(3).fill('data_conflict'));
  assert.deepEqual(await fixture.get('viewed'), made);
});

test('a table that is gone by hand is a conflict that says so', async () => {
  await fixture.create({ name: 'torn', fields: [{ name: 'a', type: 'text' }] });
  await fixture.rows('drop table data.torn');

  const refused = await refusal(fixture.update('torn', { fields: [] }));

  assert.equal(refused.code, 'data_conflict');
  assert.match(refused.message, /by hand/);
});

test('the 1,600 columns of Postgres, dropped ones counted, end in a conflict', { timeout: 60_000 }, async () => {
  await fixture.create({ name: 'worn' });
  await fixture.rows(`do $$ begin for n in 1..1593 loop execute format('alter table data.worn add column x%s int', n); end loop; end $$`);
  await fixture.rows(`do $$ begin for n in 1..1593 loop execute format('alter table data.worn drop column x%s', n); end loop; end $$`);

  const fits = await fixture.update('worn', { fields: [{ name: 'a', type: 'bool' }] });
  const refused = await refusal(fixture.update('worn', { fields: [...fits.fields, { name: 'b', type: 'bool' }] }));

  assert.equal(refused.code, 'data_conflict');
  assert.match(refused.message, /1,600 columns/);
});

test('updates of one collection at the same time are each applied to what the other left', async () => {
  await fixture.create({ name: 'raced' });
  const names = ['listRule', 'viewRule', 'createRule', 'updateRule', 'deleteRule'];

  const answers = await Promise.all(names.map((name) => fixture.update('raced', { rules: { [name]: '' } })));
  const claimed = await Promise.allSettled([fixture.update('raced', { name: 'won' }), fixture.update('raced', { name: 'won2' })]);
  const twins = await Promise.allSettled([fixture.create({ name: 'twin' }), fixture.create({ name: 'TWIN' })]);

  assert.equal(answers.length, names.length);
  assert.deepEqual(claimed.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  const survivor = await fixture.get(claimed[0]?.status === 'fulfilled' ? 'won' : 'won2');
  assert.deepEqual(survivor.rules, Object.fromEntries(names.map((name) => [name, ''])));
  assert.deepEqual(twins.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
});

test('a table that stays in use is waited for briefly, then the change is given up with schema_busy', { timeout: 30_000 }, async () => {
  const made = await fixture.create({ name: 'busy', fields: [{ name: 'a', type: 'text' }] });
  const holder = await fixture.connection();
  await holder.query('begin');
  await holder.query('lock table data.busy in access share mode');

  const rules = await fixture.update('busy', { rules: { listRule: '' } });
  const refused = await refusal(fixture.update('busy', { fields: [] }));
  await holder.query('rollback');
  holder.release();
  const done = await fixture.update('busy', { fields: [] });

  assert.equal(rules.rules['listRule'], '');
  assert.equal(refused.code, 'schema_busy');
  assert.deepEqual([made.fields.length, done.fields.length], [1, 0]);
});

test('a plan shows the very statements, changes nothing, and holds until the schema moves', async () => {
  const body = { name: 'planned', fields: [{ name: 'a', type: 'text', unique: true }] };
  const created = await fixture.planCreate(body);
  assert.equal((await refusal(fixture.get('planned'))).code, 'collection_not_found');
  const made: CollectionAnswer = await fixture.create(body);
  assert.ok(
    created.statements.some((statement) => statement.includes(`ux_${made.fields[0]?.id}`)),
    created.statements.join('\n'),
  );
  assert.deepEqual([created.rewrites, created.destructive, created.breaks], [false, [], []]);

  const change = {
    name: 'plan',
    fields: [
      { id: made.fields[0]?.id, name: 'b', type: 'number', required: true },
      { name: 'c', ...relation('1:N') },
    ],
  };
  const plan = await fixture.planUpdate('planned', change);

  assert.deepEqual(await fixture.planUpdate('planned', change), plan);
  assert.deepEqual(await fixture.get('planned'), made);
  assert.deepEqual(plan.locks, ['access exclusive on planned', 'share row exclusive on targets']);
  assert.equal(plan.rewrites, true);
  assert.deepEqual(plan.breaks, [
    'The collection planned is called plan.',
    'The field a is called b.',
    'The field b is number; it was text.',
    'The field b is required.',
  ]);
  await fixture.update('targets', { rules: { listRule: '' } });
  assert.equal((await refusal(fixture.update('planned', change, plan.hash))).code, 'schema_moved');
  const again = await fixture.planUpdate('planned', change);
  await fixture.update('planned', change, again.hash);
  const drop = await fixture.planDrop('plan');
  assert.deepEqual(drop.destructive, ['The collection plan is dropped with all its records.']);
  assert.equal((await refusal(fixture.drop('plan', plan.hash))).code, 'schema_moved');
  assert.equal(await fixture.drop('plan', drop.hash), '');
});
