import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CollectionsFixture, refusal } from './collections-fixture.ts';

let fixture: CollectionsFixture;

before(async () => {
  fixture = await CollectionsFixture.open();
});

after(() => fixture.close());

const outbox = () => fixture.rows(`select collection, record, action from svc.outbox order by seq`);

test('truncate empties the table and its links, counts them, and leaves one row in the log', async () => {
  const { id, fields } = await fixture.create({
    name: 'full',
    fields: [{ name: 'links', type: 'relation', relationConfig: { targetSvc: 'full', cardinality: 'M:N' } }],
  });
  await fixture.rows(`insert into data.full (id) select 'r' || n from generate_series(1, 25) n`);
  await fixture.rows(`insert into data."_mn_${fields[0]?.id}" values ('r1', 'r2', 0)`);

  const first = await fixture.truncate('full');
  const second = await fixture.truncate('full');

  assert.deepEqual([first, second], [{ deleted: 25 }, { deleted: 0 }]);
  assert.deepEqual(await fixture.rows('select id from data.full'), []);
  assert.deepEqual(await outbox(), [{ collection: id, record: '', action: 'truncate' }]);
});

test('truncate is refused while records of other collections refer to some, and works where none does', async () => {
  await fixture.create({ name: 'needed' });
  await fixture.create({ name: 'needing', fields: [{ name: 'one', type: 'relation', relationConfig: { targetSvc: 'needed', cardinality: '1:N' } }] });
  const { fields } = await fixture.create({
    name: 'listing',
    fields: [{ name: 'many', type: 'relation', relationConfig: { targetSvc: 'needed', cardinality: 'M:N' } }],
  });
  await fixture.rows(`insert into data.needed (id) values ('n')`);
  await fixture.rows(`insert into data.needing (id, one) values ('x', 'n')`);
  await fixture.rows(`insert into data.listing (id) values ('l')`);
  await fixture.rows(`insert into data."_mn_${fields[0]?.id}" values ('l', 'n', 0)`);

  const refused = await refusal(fixture.truncate('needed'));
  await fixture.truncate('needing');
  await fixture.truncate('listing');
  const done = await fixture.truncate('needed');

  assert.equal(refused.code, 'data_conflict');
  assert.match(refused.message, /listing, needing|needing, listing/);
  assert.deepEqual(done, { deleted: 1 });
});
