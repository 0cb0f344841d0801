/** Two collections of one shape: `bench_items` is read, `bench_entries` is written. */
export const ITEMS = 'bench_items';
export const ENTRIES = 'bench_entries';

/** The system fields and then ours, in the order in which a record shows them. */
export const VISIBLE_COLUMNS = ['id', 'created_at', 'updated_at', 'title', 'body', 'rank', 'score', 'done', 'due', 'status'] as const;

const STATUSES = ['draft', 'open', 'waiting', 'closed'];
const RANKS = 10_000;

/** Open rules, one index for the sorted lists: what a team would write for a public catalogue of things. */
export function collectionBody(name: string): string {
  return JSON.stringify({
    name,
    type: 'base',
    fields: [
      { name: 'title', type: 'text', required: true, max: 200 },
      { name: 'body', type: 'text' },
      { name: 'rank', type: 'number', integer: true },
      { name: 'score', type: 'number' },
      { name: 'done', type: 'bool' },
      { name: 'due', type: 'datetime' },
      { name: 'status', type: 'select', options: STATUSES },
    ],
    indexes: [{ fields: ['rank'] }],
    rules: { listRule: '', viewRule: '', createRule: '', updateRule: '', deleteRule: '', subscribeRule: '' },
  });
}

// Ids are numbers of 19 digits, because pgbench can only draw numbers: so both sides ask for the same keys by the same parameter.
const FIRST_ID = 10n ** 18n;

/** The id of the n-th record, counted from 0. */
export function itemId(n: number): string {
  return (FIRST_ID + BigInt(n)).toString();
}

/** The n-th record, about 330 bytes of JSON once stored; spread so that no column is in key order. */
export function itemBody(n: number): Record<string, unknown> {
  const spread = (n * 7919) % 1_000_003;
  return {
    title: `Item ${spread}: a title of ordinary length`,
    body: `What people write about item ${spread}. `.repeat(3).trimEnd(),
    rank: spread % RANKS,
    score: (spread % 1000) / 8,
    done: spread % 3 === 0,
    due: `2027-${two(1 + (spread % 12))}-${two(1 + (spread % 28))}T${two(spread % 24)}:30:00.000Z`,
    status: STATUSES[spread % STATUSES.length],
  };
}

function two(value: number): string {
  return value.toString().padStart(2, '0');
}
