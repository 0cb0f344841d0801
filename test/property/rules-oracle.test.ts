import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { SvcError } from '../../proto/errors/svc-error.ts';
import { operators, type Operators } from '../../store/rules/operators/operators.sql.ts';
import { bindParameters, check, parse, toPredicate, toSql, type RequestValues, type RowValues, type TypedTree } from '../../store/rules/index.ts';
import { operatorSymbols, type OperatorSymbol, type SyntaxTree } from '../../store/rules/syntax/syntax-tree.ts';
import { openStore, type TestStore } from '../support/store.ts';
import { definitions, expression, kinds, print, rawJson, requests, rowBody, targetIds, type SampleField } from './rules-expressions.ts';

// One language, two meanings: generated expressions over generated schemas and rows are asked of the real Postgres and of the
// predicate, and the verdicts on every row must be the same. SVC_TEST_SEED repeats a run, SVC_TEST_RUNS makes it longer.

const runs = Number(process.env['SVC_TEST_RUNS'] ?? 1);
const seed = Number(process.env['SVC_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const now = new Date('2026-01-31T12:00:00.000Z');
const collectionsPerRun = 10;
const rowsPerCollection = 30;
const expressionsPerCollection = 150;
const columnsPerStatement = 50;

/** One expression with the database's verdict on every row. */
interface Asked {
  readonly text: string;
  readonly typed: TypedTree;
  readonly request: RequestValues;
  readonly rows: readonly RowValues[];
  readonly verdicts: readonly boolean[];
}

let store: TestStore;
let client: pg.Client;
const asked: Asked[] = [];

before(async () => {
  store = await openStore();
  client = new pg.Client(store.database.url);
  await client.connect();
  await store.collection('targets', []);
  for (const id of targetIds) await store.create('targets', { id });
});

after(async () => {
  await client.end();
  await store.close();
});

test('Postgres and the predicate give the same verdict on every row', { timeout: 60_000 * Math.max(1, runs) }, async (t) => {
  t.diagnostic(`seed ${seed}; repeat with SVC_TEST_SEED=${seed}`);

  for (let round = 0; round < collectionsPerRun * runs; round += 1) {
    const batch = await askDatabase(round);
    requireAgreement(batch, seed);
    if (asked.length < 2_000) asked.push(...batch);
  }

  const cases = asked.reduce((sum, { rows }) => sum + rows.length, 0);
  t.diagnostic(
    `${cases} cases kept, ${asked.filter(({ verdicts }) => new Set(verdicts).size === 2).length} of ${asked.length} expressions divide the rows`,
  );
  assert.ok(cases >= 20_000, `only ${cases} cases`);
});

/** What each operator might be mistaken for. */
const mistakes: Readonly<Record<OperatorSymbol, Operators[OperatorSymbol]['test']>> = {
  '=': (left, right) => left === right && left !== null,
  '!=': (left, right) => left !== right && left !== null,
  '>': (left, right) => operators['>='].test(left, right),
  '>=': (left, right) => operators['>'].test(left, right),
  '<': (left, right) => operators['<='].test(left, right),
  '<=': (left, right) => operators['<'].test(left, right),
  '~': (left, right) => operators['~'].test(left, String(right).replace(/^%/, '')),
  '!~': (left, right) => left !== null && operators['!~'].test(left, right),
};

for (const symbol of operatorSymbols) {
  test(`a mistake planted in the predicate's ${symbol} is found`, () => {
    const planted: Operators = { ...operators, [symbol]: { ...operators[symbol], test: mistakes[symbol] } };

    const found = asked.filter((each) => disagreement(each, planted) !== undefined);

    assert.ok(found.length > 0);
  });
}

/** A collection of its own, rows in it, and expressions answered by Postgres, many in one statement. */
async function askDatabase(round: number): Promise<Asked[]> {
  const name = `oracle${round}`;
  const drawn = <Value>(arbitrary: fc.Arbitrary<Value>, count: number): Value[] => fc.sample(arbitrary, { seed: seed + round, numRuns: count });
  const [chosen = []] = drawn(fc.uniqueArray(fc.constantFrom(...kinds), { minLength: 4, maxLength: kinds.length }), 1);
  const fields: SampleField[] = chosen.flatMap((kind) => [
    { name: `${kind}_1`, kind },
    { name: `${kind}_2`, kind },
  ]);
  await store.collection(
    name,
    fields.map((field, index) => ({ ...definitions[field.kind], name: field.name, hidden: index % 5 === 4 })),
  );
  const rows = await makeRows(name, fields, drawn(rowBody(fields), rowsPerCollection));
  const schema = await store.deps.catalogue.reload(store.deps.catalogue.loaded);
  const collection = schema.byName(name);
  assert.ok(collection !== undefined);
  const scope = { schema, collection, use: 'rule', sight: 'full', mayRead: () => true } as const;
  const trees = drawn(expression(fields), expressionsPerCollection * 6).flatMap((tree) => typedOf(tree, (parsed) => check(parsed, scope)));
  const allRequests = drawn(requests(fields), 40);
  const questions = trees
    .slice(0, expressionsPerCollection)
    .map((tree, index) => ({ ...tree, request: allRequests[index % allRequests.length] as RequestValues }));
  const batches: Asked[] = [];
  for (let at = 0; at < questions.length; at += columnsPerStatement) {
    const part = questions.slice(at, at + columnsPerStatement);
    const verdicts = await verdictsOf(name, part);
    batches.push(
      ...part.map((question, index) => ({ ...question, rows, verdicts: rows.map(({ id }) => verdicts.get(String(id))?.[index] ?? false) })),
    );
  }
  return batches;
}

async function makeRows(name: string, fields: readonly SampleField[], bodies: readonly Readonly<Record<string, unknown>>[]): Promise<RowValues[]> {
  const ids: string[] = [];
  for (const body of bodies) ids.push((JSON.parse((await store.create(name, body)).body) as { id: string }).id);
  const json = fields.find(({ kind }) => kind === 'json');
  for (const [index, raw] of rawJson.entries()) {
    if (json !== undefined)
      await client.query(`update data.${name} set ${pg.escapeIdentifier(json.name)} = $1::json where id = $2`, [raw, ids[index]]);
  }
  const views = await Promise.all(ids.map((id) => store.view(name, id)));
  return views.map(({ body }) => JSON.parse(body) as RowValues);
}

/** The tree as the parser reads its text, checked; nothing where its types do not fit. */
function typedOf(tree: SyntaxTree, typed: (parsed: SyntaxTree) => TypedTree): { readonly text: string; readonly typed: TypedTree }[] {
  const text = print(tree);
  const parsed = parse(text);
  assert.deepEqual(withoutPositions(parsed), withoutPositions(tree), text);
  try {
    return [{ text, typed: typed(parsed) }];
  } catch (error) {
    assert.ok(error instanceof SvcError && error.code === 'bad_filter', String(error));
    return [];
  }
}

function withoutPositions(tree: SyntaxTree): unknown {
  return JSON.parse(JSON.stringify(tree, (key, value: unknown) => (key === 'position' || key === 'source' ? undefined : value)));
}

async function verdictsOf(name: string, questions: readonly { readonly text: string; readonly typed: TypedTree; readonly request: RequestValues }[]) {
  const values: (string | null)[] = [];
  const columns = questions.map(({ typed, request }, index) => {
    const { condition, parameters } = toSql(typed, { alias: 'record', firstParameter: values.length + 1 });
    values.push(...bindParameters(parameters, request, now));
    return `(${condition.compile().text}) is true as c${index}`;
  });
  const { rows } = await client.query<unknown[]>({
    text: `select record.id, ${columns.join(', ')} from data.${name} record`,
    values,
    rowMode: 'array',
  });
  return new Map(rows.map(([id, ...verdicts]) => [String(id), verdicts as boolean[]]));
}

function requireAgreement(batch: readonly Asked[], usedSeed: number): void {
  for (const each of batch) {
    const row = disagreement(each, operators);
    if (row === undefined) continue;
    const { condition } = toSql(each.typed, { alias: 'record', firstParameter: 1 });
    const told = { expression: each.text, row, request: each.request, sql: condition.compile().text };
    assert.fail(`Postgres and the predicate differ (seed ${usedSeed}): ${JSON.stringify(told, null, 2)}`);
  }
}

/** The first row on which the predicate says something else than Postgres did. */
function disagreement({ typed, request, rows, verdicts }: Asked, table: Operators): RowValues | undefined {
  const predicate = toPredicate(typed, table);
  if (predicate.kind === 'needs-database') return undefined;
  return rows.find((row, index) => predicate.test(row, request, now) !== verdicts[index]);
}
