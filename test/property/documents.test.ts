import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { DocumentRefresh } from '../../store/records/refresh-documents.ts';
import { openStore, type TestStore } from '../support/store.ts';

// The stored document and the columns must say the same, whatever happened to the schema and the rows: random schema
// changes, writes through the store, edits by hand and steps of the background refresh, then every row is read both ways.

type Json = Record<string, unknown>;

let store: TestStore;
let sql: pg.Client;

before(async () => {
  store = await openStore();
  sql = new pg.Client(store.database.url);
  await sql.connect();
  await store.collection('targets', []);
  for (const id of targetIds) await store.create('targets', { id });
});

after(async () => {
  await sql.end();
  await store.close();
});

const targetIds = ['t1', 't2', 't3'];
const isHidden = fc.boolean();

const definitions = {
  text: { type: 'text' },
  number: { type: 'number' },
  bool: { type: 'bool' },
  email: { type: 'email' },
  url: { type: 'url' },
  date: { type: 'date' },
  datetime: { type: 'datetime' },
  json: { type: 'json' },
  select: { type: 'select', options: ['a', 'b "q"', 'ü'] },
  selects: { type: 'select', options: ['a', 'b "q"', 'ü'], maxSelect: 3 },
  relation: { type: 'relation', relationConfig: { targetSvc: 'targets' } },
  relations: { type: 'relation', relationConfig: { targetSvc: 'targets', cardinality: 'M:N' } },
} as const;
type Kind = keyof typeof definitions;

const wellFormed = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !text.includes('\0') && text.isWellFormed());
const instant = fc.date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true });
const jsonValue = fc.jsonValue({ stringUnit: 'grapheme', noUnicodeString: true } as object).filter((value) => !JSON.stringify(value).includes('\\u'));

const values: Record<Kind, fc.Arbitrary<unknown>> = {
  text: wellFormed,
  number: fc.double({ noNaN: true, noDefaultInfinity: true }),
  bool: fc.boolean(),
  email: fc.constantFrom('a@example.com', 'Long.Name+tag@sub.example.org'),
  url: fc.constantFrom('https://example.com/', 'http://example.com/a?b=%22c%22#d'),
  date: instant.map((date) => date.toISOString().slice(0, 10)),
  datetime: instant.map((date) => date.toISOString()),
  json: jsonValue,
  select: fc.constantFrom('a', 'b "q"', 'ü'),
  selects: fc.uniqueArray(fc.constantFrom('a', 'b "q"', 'ü')),
  relation: fc.constantFrom(...targetIds),
  relations: fc.uniqueArray(fc.constantFrom(...targetIds)),
};

const kinds = Object.keys(definitions) as Kind[];
const someFields = fc.uniqueArray(fc.record({ kind: fc.constantFrom(...kinds), hidden: isHidden }), {
  selector: ({ kind }) => kind,
  minLength: 1,
  maxLength: 6,
});
const body = fc.record(
  Object.fromEntries(kinds.map((kind) => [kind, fc.option(values[kind], { nil: null, freq: 4 })])) as Record<Kind, fc.Arbitrary<unknown>>,
  { requiredKeys: [] },
);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('create' as const), body }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('update' as const), body, pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('schema' as const), fields: someFields, suffix: fc.constantFrom('', '_x') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('edit' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refresh' as const) }) },
);

let run = 0;

test(
  'a record read from its document equals the record built from its columns, after any history',
  { timeout: 120_000 * Math.max(1, Number(process.env['SVC_TEST_RUNS'] ?? 1)) },
  async () => {
    await fc.assert(
      fc.asyncProperty(someFields, fc.array(step, { minLength: 4, maxLength: 14 }), async (fields, steps) => {
        run += 1;
        const name = `docs${run}`;
        await store.collection(name, fields.map(asField('')));
        const ids: string[] = [];
        let suffix = '';
        for (const one of steps) {
          if (one.do === 'create') ids.push(idOf(await store.create(name, renamed(one.body, suffix))));
          if (one.do === 'update' && ids.length > 0) await store.update(name, ids[one.pick % ids.length] ?? '', renamed(one.body, suffix));
          if (one.do === 'schema') {
            suffix = one.suffix;
            await changeFields(name, one.fields.map(asField(suffix)));
          }
          if (one.do === 'edit' && ids.length > 0) await editByHand(name, ids[one.pick % ids.length] ?? '');
          if (one.do === 'refresh') await new DocumentRefresh(store.deps).step();
        }
        for (const id of ids) await requireSame(name, id);
      }),
      { numRuns: 25 * Number(process.env['SVC_TEST_RUNS'] ?? 1) },
    );
  },
);

function asField(suffix: string) {
  return ({ kind, hidden }: { kind: Kind; hidden: boolean }): Json => ({ ...definitions[kind], name: `${kind}${suffix}`, hidden });
}

function renamed(given: Partial<Record<Kind, unknown>>, suffix: string): Json {
  return Object.fromEntries(Object.entries(given).map(([kind, value]) => [`${kind}${suffix}`, value]));
}

function idOf(answer: { readonly body: string }): string {
  return (JSON.parse(answer.body) as { id: string }).id;
}

/** Fields keep their ids where the new list has one of the same type, so that renames are renames. */
async function changeFields(name: string, fields: readonly Json[]): Promise<void> {
  const { rows } = await sql.query<{ definition: { fields: { id: string; name: string }[] } }>(
    'select definition from svc.collections where name = $1',
    [name],
  );
  const known = rows[0]?.definition.fields ?? [];
  const withIds = fields.map((field) => ({
    ...field,
    ...idsOf(known, field),
  }));
  await store.changeCollection(name, { fields: withIds });
}

function idsOf(known: readonly { readonly id: string; readonly name: string }[], field: Json): Json {
  const match = known.find((one) => baseName(one.name) === baseName(String(field['name'])));
  return match === undefined ? {} : { id: match.id };
}

function baseName(name: string): string {
  return name.replace(/_x$/, '');
}

async function editByHand(name: string, id: string): Promise<void> {
  const columns = await sql.query<{ column_name: string }>(
    `select column_name from information_schema.columns where table_schema = 'data' and table_name = $1 and column_name like 'text%'`,
    [name],
  );
  const column = columns.rows[0]?.column_name;
  if (column !== undefined) await sql.query(`update data.${name} set ${pg.escapeIdentifier(column)} = 'by hand' where id = $1`, [id]);
}

/** Reads the record as it is stored, then with its document forgotten, so that it is built from the columns. */
async function requireSame(name: string, id: string): Promise<void> {
  const stored = JSON.parse((await store.view(name, id)).body) as Json;
  const publicDocument = await sql.query<{ doc: string | null }>(
    `select case when record._doc_v = collection.doc_version then record._doc end as doc
    from data.${name} record, svc.collections collection where record.id = $1 and collection.name = $2`,
    [id, name],
  );
  await sql.query(`update data.${name} set _doc_v = null where id = $1`, [id]);
  const built = JSON.parse((await store.view(name, id)).body) as Json;
  assert.deepEqual(built, stored);
  const document = publicDocument.rows[0]?.doc;
  if (document !== null && document !== undefined) assert.deepEqual({ ...built, ...(JSON.parse(document) as Json) }, built);
}
