import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { SvcError } from '../../proto/errors/svc-error.ts';
import { CollectionsFixture, type CollectionAnswer, type Json } from '../store/collections-fixture.ts';

let fixture: CollectionsFixture;

before(async () => {
  fixture = await CollectionsFixture.open();
  await fixture.create({ name: 'left' });
  await fixture.create({ name: 'right' });
  await fixture.rows(`insert into data.left (id) values ('one'), ('two')`);
  await fixture.rows(`insert into data.right (id) values ('one')`);
});

after(() => fixture.close());

const runs = 60;

/** Field names are few, so that names are kept, swapped and taken over between the two definitions. */
const names = ['a', 'b', 'c', 'constructor', 'record', 'target'];

const options: fc.Arbitrary<Json> = fc.oneof(
  fc.record({ type: fc.constant('text'), default: fc.constantFrom(null, 'x', `it's "q" \\ ; --`) }),
  fc.record({ type: fc.constant('number'), default: fc.constantFrom(null, 0, 1.5e300) }),
  fc.record({ type: fc.constant('bool'), default: fc.constantFrom(null, false) }),
  fc.record({ type: fc.constantFrom('email', 'url', 'date') }),
  fc.record({ type: fc.constant('datetime'), default: fc.constantFrom(null, '2020-02-29T00:00:00Z') }),
  fc.record({ type: fc.constant('json'), default: fc.constantFrom(null, { k: ["'"] }) }),
  fc.record({ type: fc.constant('select'), options: fc.constant(['one', 'two', 'true']), maxSelect: fc.constantFrom(1, 2) }),
  fc.record({
    type: fc.constant('relation'),
    relationConfig: fc.record({ targetSvc: fc.constantFrom('left', 'right', 'self'), cardinality: fc.constantFrom('1:1', '1:N', 'M:N') }),
  }),
);

const flags = fc.record({ required: fc.boolean(), unique: fc.boolean(), hidden: fc.boolean() });

const fields = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...names), options, flags), { selector: ([name]) => name, maxLength: 5 })
  .map((list) => list.map(([name, given, flag]): Json => ({ name, ...given, ...flag, unique: flag.unique && isSingle(given) })));

/** Which of the present fields each new one is: by id (a rename), or by name. */
const claims = fc.array(fc.option(fc.nat({ max: 4 })), { minLength: 5, maxLength: 5 });

const indexes = fc.array(fc.tuple(fc.subarray(names, { minLength: 1, maxLength: 2 }), fc.boolean(), fc.boolean()), { maxLength: 2 });

test('a table that is changed step by step is the table made at once', { timeout: 150_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fields,
      fields,
      claims,
      indexes,
      indexes,
      fc.boolean(),
      async (first, second, claimed, firstIndexes, secondIndexes, isFilled) => {
        await clear();
        const made = await fixture.create({ name: 'self', fields: first, indexes: indexesOver(first, firstIndexes) });
        if (isFilled) await fill(made);
        const tableBefore = await tableOf(made);
        const wanted = { name: 'changed', fields: claim(second, made, claimed), indexes: indexesOver(second, secondIndexes) };

        const outcome = await fixture.update('self', wanted).catch(conflictOnly);

        if (outcome === 'refused') assert.deepEqual(await tableOf(await fixture.get('self')), tableBefore);
        else await compareWithFresh(outcome, second, wanted.indexes);
      },
    ),
    { numRuns: runs, includeErrorInReport: true },
  );
});

/** Also what a failed run has left, so that a counterexample can be made smaller. */
async function clear(): Promise<void> {
  for (const { name } of await fixture.list()) if (!['left', 'right'].includes(name)) await fixture.drop(name);
}

async function compareWithFresh(changed: CollectionAnswer, list: readonly Json[], wantedIndexes: readonly Json[]): Promise<void> {
  const table = await tableOf(changed);
  const fresh = await fixture.create({ name: 'fresh', fields: withSelf(list, 'fresh'), indexes: wantedIndexes });
  const expected = await tableOf(fresh);
  assert.deepEqual(table, expected);
  assert.deepEqual(shown(changed), shown(fresh));
}

function withSelf(list: readonly Json[], name: string): Json[] {
  return list.map((field) => {
    const relation = field['relationConfig'] as { targetSvc: string } | undefined;
    return relation?.targetSvc === 'self' ? { ...field, relationConfig: { ...relation, targetSvc: name } } : field;
  });
}

function claim(list: readonly Json[], made: CollectionAnswer, claimed: readonly (number | null)[]): Json[] {
  const used = new Set<string>();
  return list.map((field, index) => {
    const id = made.fields[claimed[index] ?? -1]?.id;
    if (id === undefined || used.has(id)) return field;
    used.add(id);
    return { ...field, id };
  });
}

function indexesOver(list: readonly Json[], given: readonly (readonly [string[], boolean, boolean])[]): Json[] {
  const usable = new Set(list.filter((field) => field['type'] !== 'json' && !isLinks(field)).map((field) => field['name']));
  const lists = new Set(list.filter((field) => !isSingle(field)).map((field) => field['name']));
  const kept = given.flatMap(([parts, unique, descending]) => {
    const present = parts.filter((part) => usable.has(part) && !(unique && lists.has(part))).map((part) => (descending ? `-${part}` : part));
    return present.length === 0 ? [] : [{ fields: [...present, ...(unique ? [] : ['created_at'])], unique }];
  });
  return [...new Map(kept.map((index) => [JSON.stringify(index), index])).values()];
}

/** Two records: one whose texts are what several types can take over, and one without values. */
async function fill(made: CollectionAnswer): Promise<void> {
  const columns = made.fields.filter((field) => ['text', 'number', 'bool', 'date'].includes(String(field['type'])));
  const samples: Json = { text: 'one', number: '1', bool: 'true', date: '2024-02-29' };
  const listed = columns.map((field) => `"${field.name}"`);
  const values = columns.map((field) => `'${String(samples[String(field['type'])])}'`);
  await fixture.rows(`insert into data.self (${['id', ...listed].join()}) values (${[`'r1'`, ...values].join()})`);
  const others = made.fields.filter((field) => field['type'] === 'json' || isSingle(field)).map((field) => `"${field.name}"`);
  await fixture.rows(`insert into data.self (${['id', ...others].join()}) values (${[`'r2'`, ...others.map(() => 'null')].join()})`);
}

function conflictOnly(error: unknown): 'refused' {
  if (error instanceof SvcError && error.code === 'data_conflict') return 'refused';
  throw error;
}

function isLinks(field: Json): boolean {
  return (field['relationConfig'] as Json | undefined)?.['cardinality'] === 'M:N';
}

function isSingle(field: Json): boolean {
  return field['type'] !== 'json' && field['maxSelect'] !== 2 && !isLinks(field);
}

/** A collection as answered, without what cannot be equal. */
function shown(collection: CollectionAnswer): unknown {
  const text = JSON.stringify({
    fields: collection.fields.map(({ id: _, ...field }) => field),
    indexes: collection.indexes,
    rules: collection.rules,
  });
  return JSON.parse(text.replaceAll(`"${collection.name}"`, '"this"')) as unknown;
}

interface Described {
  readonly kind: string;
  readonly text: string;
}

/** Everything Postgres knows of the collection's tables, with ids and the collection's name replaced by what they stand for. */
async function tableOf(collection: CollectionAnswer): Promise<readonly string[]> {
  const tables = [collection.name, ...collection.fields.map(({ id }) => `_mn_${id}`)];
  const described = await fixture.rows<Described>(describeTables, [tables]);
  const neutral = ({ kind, text }: Described): string => {
    const byField = collection.fields.reduce((done, { id, name }) => done.replaceAll(id, `<${name}>`), `${kind} ${text}`);
    return byField.replaceAll(collection.id, '<id>').replaceAll(new RegExp(`\\b(${collection.name}|self|fresh|changed)\\b`, 'g'), 'this');
  };
  return described
    .map(neutral)
    .map((line) => line.replace(/\bix_[a-z0-9]{12}\b/, 'ix'))
    .toSorted();
}

const describeTables = `
  with tables as (select oid, relname from pg_class where relnamespace = 'data'::regnamespace and relname = any($1) and relkind = 'r')
  select 'column' as kind, concat_ws(' ', relname, attname, format_type(atttypid, atttypmod), attnotnull, collname, pg_get_expr(adbin, adrelid)) as text
  from tables
  join pg_attribute on attrelid = tables.oid and attnum > 0 and not attisdropped
  left join pg_collation on pg_collation.oid = attcollation
  left join pg_attrdef on adrelid = attrelid and adnum = attnum
  union all
  select 'index', pg_get_indexdef(indexrelid) from tables join pg_index on indrelid = tables.oid
  union all
  select 'constraint', concat_ws(' ', relname, conname, pg_get_constraintdef(pg_constraint.oid)) from tables join pg_constraint on conrelid = tables.oid and contype <> 'n'
  union all
  select 'trigger', pg_get_triggerdef(pg_trigger.oid) from tables join pg_trigger on tgrelid = tables.oid and not tgisinternal`;
