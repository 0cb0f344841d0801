import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withSchema } from '../../store/collections/with-schema.ts';
import { Connection } from '../../store/postgres/connection.ts';
import { sql, statement } from '../../store/postgres/sql.ts';
import { StaleCatalogue } from '../../store/postgres/stale-catalogue.ts';
import { testDatabase } from '../support/database.ts';
import { openStore } from '../support/store.ts';

const silent = { onLost: () => undefined, onStatement: () => undefined };

describe('a schema that moves under a request', () => {
  it('several times, and once before the copy could be new, is followed to its end', async () => {
    await using store = await openStore();
    const seen: string[] = [];

    const answer = await withSchema(store.deps.catalogue, async (schema) => {
      seen.push(schema.version);
      if (seen.length <= 2) await store.collection(`made${seen.length}`, []);
      if (seen.length <= 3) throw new StaleCatalogue(new Error('the table is gone'));
      return 'done';
    });

    assert.equal(answer, 'done');
    assert.deepEqual(seen, ['1', '2', '3', '3']);
  });

  it('makes no failure of statements that stood behind one whose table is gone', async () => {
    await using database = await testDatabase();
    await using connection = new Connection({ connectionString: database.url }, 'prepared', silent);
    await connection.open();
    const lost = statement('test.lost', sql`select title from data.lost`);

    const together = await Promise.allSettled(Array.from({ length: 5 }, () => connection.execute(lost, [])));
    const afterwards = await connection.execute(statement('test.one', sql`select 'one'`), []);

    assert.deepEqual(
      together.map((end) => end.status === 'rejected' && end.reason instanceof StaleCatalogue),
      [true, true, true, true, true],
    );
    assert.deepEqual(afterwards, [['one']]);
  });
});
