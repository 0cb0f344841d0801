import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startCluster } from '../support/cluster.ts';
import type { HttpClient } from '../support/http.ts';

// The examples of store/rules/README.md: its data, and behind each filter the ids that match.

type Data = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

const readme = readFileSync(new URL('../../../store/rules/README.md', import.meta.url), 'utf8');

const open = { listRule: '', viewRule: '' };
const text = (name: string) => ({ name, type: 'text' });
const number = (name: string) => ({ name, type: 'number' });
const relation = (name: string, targetSvc: string) => ({ name, type: 'relation', relationConfig: { targetSvc, cardinality: '1:N' } });

const collections = [
  { name: 'authors', rules: open, fields: [text('name'), number('rank'), { name: 'joined', type: 'date' }] },
  {
    name: 'posts',
    rules: open,
    fields: [
      text('title'),
      { name: 'tags', type: 'select', options: ['news', 'tech', 'shop'], maxSelect: 3 },
      relation('author', 'authors'),
      number('likes'),
      { name: 'extra', type: 'json' },
    ],
  },
  { name: 'comments', rules: open, fields: [text('text'), number('likes'), relation('post', 'posts')] },
];

test('every filter of the README finds the records that it says', async () => {
  await using cluster = await startCluster();
  const admin = cluster.client();
  for (const collection of collections) assert.equal((await admin.post('/api/svc', collection)).status, 201);
  for (const [name, records] of Object.entries(JSON.parse(block('json data')) as Data))
    for (const record of records) assert.equal((await admin.post(`/api/svc/${name}/records`, record)).status, 201);
  const examples = block('filters').trimEnd().split('\n');

  const found: string[] = [];
  for (const example of examples) {
    const filter = filterOf(example);
    found.push(`${example.slice(0, example.indexOf('→') + 1)} ${await idsOf(cluster.guest(), filter)}`.trimEnd());
  }

  assert.ok(examples.length > 15);
  assert.deepEqual(found, examples);
});

function block(info: string): string {
  const [, found] = new RegExp(`^\`\`\`${info}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(readme) ?? [];
  assert.ok(found !== undefined, info);
  return found;
}

function filterOf(example: string): string {
  return example.slice(0, example.indexOf('→')).trim();
}

async function idsOf(client: HttpClient, filter: string): Promise<string> {
  const list = await client.get(`/api/svc/posts/records?sort=id&filter=${encodeURIComponent(filter)}`);
  assert.equal(list.status, 200, `${filter}: ${list.text}`);
  return list
    .json<{ items: readonly { id: string }[] }>()
    .items.map(({ id }) => id)
    .join(' ');
}
