import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TextRow } from '../../store/postgres/connection.ts';
import { EqualQueries } from '../../store/postgres/equal-queries.ts';
import { sql, statement } from '../../store/postgres/sql.ts';

const first = statement('first', sql`select ${sql.param(1)}`);
const second = statement('second', sql`select 2, ${sql.param(1)}`);

/** Answers a row that tells how many runs there were before. */
function counting(): { queries: EqualQueries; ran: string[] } {
  const ran: string[] = [];
  const run = (fixed: { label: string }, values: readonly (string | null)[]): Promise<readonly TextRow[]> => {
    ran.push(`${fixed.label} ${values.join(' ')}`);
    return Promise.resolve([[String(ran.length)]]);
  };
  return { queries: new EqualQueries(run), ran };
}

test('equal queries of one turn run once, others run for themselves', async () => {
  const { queries, ran } = counting();
  const all = [queries.query(first, ['a']), queries.query(first, ['a']), queries.query(first, ['b']), queries.query(second, ['a'])];
  assert.deepEqual(ran, [], 'nothing leaves before the turn is over');
  assert.deepEqual(await Promise.all(all), [[['1']], [['1']], [['2']], [['3']]]);
  assert.deepEqual(ran, ['first a', 'first b', 'second a']);
});

test('values that only look alike when joined are told apart', async () => {
  const { queries, ran } = counting();
  await Promise.all([queries.query(first, ['a', 'b']), queries.query(first, ['ab']), queries.query(first, ['a b'])]);
  assert.equal(ran.length, 3);
  await Promise.all([queries.query(first, [null]), queries.query(first, ['']), queries.query(first, ['null'])]);
  assert.equal(ran.length, 6);
});

test('a query of a later turn runs anew, because it must see what was written meanwhile', async () => {
  const { queries, ran } = counting();
  await queries.query(first, ['a']);
  await queries.query(first, ['a']);
  assert.equal(ran.length, 2);
});

test('a failure reaches all who shared the run, and nobody after them', async () => {
  let isBroken = true;
  const queries = new EqualQueries(() => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve([])));
  const outcomes = await Promise.allSettled([queries.query(first, ['a']), queries.query(first, ['a'])]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  isBroken = false;
  assert.deepEqual(await queries.query(first, ['a']), []);
});
