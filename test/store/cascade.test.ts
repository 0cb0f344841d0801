import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { openStore, type TestStore } from '../support/store.ts';

let store: TestStore;
let sql: pg.Client;

before(async () => {
  store = await openStore();
  sql = new pg.Client(store.database.url);
  await sql.connect();
});

after(async () => {
  await sql.end();
  await store.close();
});

type Json = Record<string, unknown>;

async function add(collection: string, body: Json): Promise<string> {
  return (JSON.parse((await store.create(collection, body)).body) as { id: string }).id;
}

async function read(collection: string, id: string): Promise<Json> {
  return JSON.parse((await store.view(collection, id)).body) as Json;
}

const relation = (name: string, targetSvc: string, onDelete: string, rest: Json = {}) => ({
  name,
  type: 'relation',
  relationConfig: { targetSvc, cardinality: '1:N', onDelete },
  ...rest,
});
const many = (name: string, targetSvc: string, onDelete: string, rest: Json = {}) => ({
  name,
  type: 'relation',
  relationConfig: { targetSvc, cardinality: 'M:N', onDelete },
  ...rest,
});

/** The log's rows since `from`, as (action, record, old, new). */
async function logged(from: string): Promise<{ action: string; record: string; old: Json | null; new: Json | null }[]> {
  const { rows } = await sql.query<{ action: string; record: string; old: string | null; new: string | null }>(
    'select action, record, old, new from svc.outbox where seq > $1 order by seq',
    [from],
  );
  return rows.map((row) => ({ ...row, old: parsed(row.old), new: parsed(row.new) }));
}

function parsed(text: string | null): Json | null {
  return text === null ? null : (JSON.parse(text) as Json);
}

async function position(): Promise<string> {
  const { rows } = await sql.query<{ last: string }>('select coalesce(max(seq), 0)::text as last from svc.outbox');
  return rows[0]?.last ?? '0';
}

test('SET_NULL unlinks what refers, with an event for each record changed', async () => {
  await store.collection('setTargets', []);
  await store.collection('setSources', [relation('target', 'setTargets', 'SET_NULL'), { name: 'note', type: 'text', hidden: true }]);
  const target = await add('setTargets', {});
  const sources = [await add('setSources', { target, note: 'a' }), await add('setSources', { target, note: 'b' })];
  const from = await position();

  await store.delete('setTargets', target);

  for (const id of sources) assert.equal((await read('setSources', id))['target'], null);
  const events = await logged(from);
  assert.deepEqual(events.map(({ action }) => action).toSorted(), ['delete', 'update', 'update']);
  for (const event of events.filter(({ action }) => action === 'update')) {
    assert.equal(event.old?.['target'], target);
    assert.equal(event.new?.['target'], null);
    assert.ok(!('note' in (event.old ?? {})), 'a hidden field is in no event');
  }
});

test('CASCADE deletes through several collections, each with its event', async () => {
  await store.collection('roots', []);
  await store.collection('branches', [relation('root', 'roots', 'CASCADE')]);
  await store.collection('leaves', [relation('branch', 'branches', 'CASCADE')]);
  const root = await add('roots', {});
  const branch = await add('branches', { root });
  const leaves = [await add('leaves', { branch }), await add('leaves', { branch })];
  const spared = await add('leaves', {});
  const from = await position();

  await store.delete('roots', root);

  for (const id of leaves) await assert.rejects(store.view('leaves', id), { code: 'record_not_found' });
  await assert.rejects(store.view('branches', branch), { code: 'record_not_found' });
  assert.equal((await read('leaves', spared))['id'], spared);
  assert.deepEqual((await logged(from)).map(({ record }) => record).toSorted(), [root, branch, ...leaves].toSorted());
});

test('RESTRICT refuses the delete and names the collection; nothing has changed', async () => {
  await store.collection('kept', []);
  await store.collection('keepers', [relation('kept', 'kept', 'RESTRICT')]);
  const id = await add('kept', {});
  await add('keepers', { kept: id });
  const from = await position();

  await assert.rejects(store.delete('kept', id), { code: 'delete_restricted', message: /keepers/ });

  assert.equal((await read('kept', id))['id'], id);
  assert.deepEqual(await logged(from), []);
});

test('a record that a cascade deletes anyway restricts nothing', async () => {
  await store.collection('owners', []);
  await store.collection('items', [relation('owner', 'owners', 'CASCADE'), relation('backup', 'owners', 'RESTRICT')]);
  const owner = await add('owners', {});
  await add('items', { owner, backup: owner });

  assert.equal((await store.delete('owners', owner)).status, 204);
});

test('a required relation that would be emptied forbids the delete', async () => {
  await store.collection('needed', []);
  await store.collection('needing', [relation('needs', 'needed', 'SET_NULL', { required: true })]);
  const id = await add('needed', {});
  await add('needing', { needs: id });

  await assert.rejects(store.delete('needed', id), { code: 'delete_restricted' });
});

test('a list loses the deleted record and keeps the order of the rest', async () => {
  await store.collection('tags', []);
  await store.collection('posts', [many('tags', 'tags', 'SET_NULL')]);
  const tags = [await add('tags', {}), await add('tags', {}), await add('tags', {})];
  const post = await add('posts', { tags: [tags[2], tags[0], tags[1]] });

  await store.delete('tags', tags[0] ?? '');

  assert.deepEqual((await read('posts', post))['tags'], [tags[2], tags[1]]);
});

test('a list with CASCADE goes with its last entry, not before', async () => {
  await store.collection('parts', []);
  await store.collection('wholes', [many('parts', 'parts', 'CASCADE')]);
  const parts = [await add('parts', {}), await add('parts', {})];
  const whole = await add('wholes', { parts });

  await store.delete('parts', parts[0] ?? '');
  assert.deepEqual((await read('wholes', whole))['parts'], [parts[1]]);
  await store.delete('parts', parts[1] ?? '');

  await assert.rejects(store.view('wholes', whole), { code: 'record_not_found' });
});

test('records that refer to each other in a circle go together', async () => {
  await store.collection('links', [{ name: 'label', type: 'text' }]);
  await store.changeCollection('links', { fields: [{ name: 'label', type: 'text' }, relation('next', 'links', 'CASCADE')] });
  const first = await add('links', { label: 'a' });
  const second = await add('links', { label: 'b', next: first });
  await store.update('links', first, { next: second });

  await store.delete('links', first);

  await assert.rejects(store.view('links', second), { code: 'record_not_found' });
});

test('deletes and new references at once leave no reference to nothing', async () => {
  await store.collection('hubs', []);
  await store.collection('spokes', [relation('hub', 'hubs', 'CASCADE')]);
  const hubs = await Promise.all(Array.from({ length: 12 }, () => add('hubs', {})));

  const adding = hubs.flatMap((hub) => Array.from({ length: 6 }, () => add('spokes', { hub }).catch((error: { code?: string }) => error.code)));
  const deleting = hubs.map((hub) => store.delete('hubs', hub));
  const outcomes = await Promise.all([...adding, ...deleting]);

  const { rows } = await sql.query('select from data.spokes spoke where not exists (select from data.hubs hub where hub.id = spoke.hub)');
  assert.equal(rows.length, 0);
  for (const outcome of outcomes)
    assert.ok(typeof outcome !== 'string' || outcome === 'validation_failed' || outcome.length > 20, JSON.stringify(outcome));
});

test('every row and its log agree: the last event of each record is the record', async () => {
  const { rows: collections } = await sql.query<{ id: string; name: string }>('select id, name from svc.collections');
  for (const { id, name } of collections) {
    const { rows } = await sql.query<{ record: string }>(
      `select coalesce(log.record, stored.id) as record
       from (select distinct on (record) record, new, seq from svc.outbox where collection = $1 order by record, seq desc) log
       full join data.${pg.escapeIdentifier(name)} stored on stored.id = log.record
       where (stored.id is null) <> (log.new is null) or stored._seq <> log.seq or stored._doc <> log.new`,
      [id],
    );
    assert.deepEqual(rows, [], name);
  }
});
