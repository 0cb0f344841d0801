import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { openStore, type TestStore } from '../support/store.ts';

// A walk by cursor meets every record once, in the order of the whole list, in both directions and in any order of sorting;
// records that come and go meanwhile disturb nobody else.

interface Item {
  readonly id: string;
}

interface Page {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
  readonly prevCursor: string | null;
}

const runs = Number(process.env['SVC_TEST_RUNS'] ?? 1);

let store: TestStore;

const keys = ['n', 'word', 'day', 'at', 'yes', 'kind', 'owner', 'owner.rank', 'owner.word', 'created', 'id'];

before(async () => {
  store = await openStore();
  await store.collection('owners', [
    { name: 'rank', type: 'number' },
    { name: 'word', type: 'text' },
  ]);
  await store.collection(
    'things',
    [
      { name: 'n', type: 'number' },
      { name: 'word', type: 'text' },
      { name: 'day', type: 'date' },
      { name: 'at', type: 'datetime' },
      { name: 'yes', type: 'bool' },
      { name: 'kind', type: 'select', options: ['a', 'b'] },
      { name: 'owner', type: 'relation', relationConfig: { targetSvc: 'owners' } },
    ],
    { indexes: [{ fields: ['n'] }, { fields: ['-day', 'n'] }] },
  );
  for (const [id, rank, word] of [
    ['o1', 1, 'z'],
    ['o2', null, 'a'],
    ['o3', 1, null],
  ])
    await store.create('owners', { id, rank, word });
  for (let index = 0; index < 60; index += 1) await store.create('things', thing(index));
});

after(() => store.close());

const pick = <Value>(values: readonly Value[], index: number): Value | undefined => values[index % values.length];

function thing(index: number): Record<string, unknown> {
  return {
    id: `t${index}`,
    n: pick([null, 0, -1.5, 3, 1e21, 0.1], index * 7),
    word: pick([null, '', 'a', "it's", 'ü"\\', 'Z', '\n', 'long '.repeat(1_000)], index * 5),
    day: pick([null, '2026-01-01', '0001-01-01'], index),
    at: pick([null, '2026-01-01T00:00:00.001Z', '2026-01-01T00:00:00.002Z'], index * 2),
    yes: pick([null, true, false], index * 4),
    kind: pick([null, 'a', 'b'], index * 8),
    owner: pick([null, 'o1', 'o2', 'o3'], index),
  };
}

async function page(query: string): Promise<Page> {
  return JSON.parse((await store.list('things', query)).body) as Page;
}

const idsOf = ({ items }: Page): readonly string[] => items.map(({ id }) => id);

const sorts = fc
  .uniqueArray(fc.constantFrom(...keys), { minLength: 0, maxLength: 3 })
  .chain((names) => fc.tuple(...names.map((name) => fc.boolean().map((isDown) => `${isDown ? '-' : ''}${name}`))).map((list) => list.join()));

test('a walk in any order, forwards and back, is the list itself', async () => {
  await fc.assert(
    fc.asyncProperty(sorts, fc.integer({ min: 1, max: 25 }), fc.constantFrom('', '&fields=id', '&filter=n%20!=%203'), async (sort, perPage, rest) => {
      const list = `sort=${sort}&total=none${rest}`;
      const whole = idsOf(await page(`${list}&perPage=500`));
      const walked: string[] = [];
      let here = await page(`${list}&perPage=${perPage}`);
      walked.push(...idsOf(here));
      while (here.nextCursor !== null) {
        here = await page(`${list}&perPage=${perPage}&cursor=${here.nextCursor}`);
        if (here.items.length > 0) walked.push(...idsOf(here));
        else break;
      }
      assert.deepEqual(walked, whole);
      const first = whole.length - ((whole.length - 1) % perPage) - 1;
      const last = await page(`${list}&perPage=${perPage}&page=${first / perPage + 1}`);
      const back = [...idsOf(last)];
      for (let cursor = last.prevCursor; cursor !== null;) {
        const earlier = await page(`${list}&perPage=${perPage}&cursor=${cursor}`);
        back.unshift(...idsOf(earlier));
        cursor = earlier.prevCursor;
      }
      assert.deepEqual(back, whole);
    }),
    { numRuns: 60 * runs },
  );
});

test('records that come and go during a walk are met or not; all others are met once, in order', async () => {
  let serial = 0;
  await fc.assert(
    fc.asyncProperty(sorts, fc.integer({ min: 3, max: 20 }), async (sort, perPage) => {
      const list = `sort=${sort}&total=none&perPage=${perPage}`;
      const whole = idsOf(await page(`sort=${sort}&perPage=500`));
      const walked: string[] = [];
      const passing: string[] = [];
      let here = await page(list);
      walked.push(...idsOf(here));
      for (let round = 0; here.nextCursor !== null && here.items.length > 0; round += 1) {
        const id = `x${(serial += 1)}`;
        passing.push(id);
        // A cursor holds no text that is too long: where the record goes that it then names instead, the walk ends with a 400.
        const { word, ...rest } = thing(round * 3);
        await store.create('things', { ...rest, word: (typeof word === 'string' ? word : '').slice(0, 20), id });
        const edge = here.items.at(-1)?.id ?? '';
        if (edge.startsWith('x')) await store.delete('things', edge);
        here = await page(`${list}&cursor=${here.nextCursor}`);
        walked.push(...idsOf(here));
      }
      assert.deepEqual(
        walked.filter((id) => !id.startsWith('x')),
        whole,
      );
      assert.equal(new Set(walked).size, walked.length);
      const left = new Set(idsOf(await page('perPage=500&filter=id~"x%25"')));
      for (const id of passing) if (left.has(id)) await store.delete('things', id);
    }),
    { numRuns: 15 * runs },
  );
});
