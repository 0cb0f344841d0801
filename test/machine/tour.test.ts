import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startCluster } from '../support/cluster.ts';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const blocks = [...readme.matchAll(/^```sh tour\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
const commands = blocks.flatMap((block) =>
  [...block.matchAll(/^(curl[\s\S]*?)\n# (\d{3})$/gm)].map(([, text = '', status = '']) => ({ text, status })),
);

test('the tour runs in a shell, with curl, as it stands in the README', { timeout: 60_000 }, async () => {
  await using cluster = await startCluster();
  const env = { ...process.env, SVC: cluster.baseUrl, KEY: cluster.adminKey };

  const statuses = commands.map(({ text }) => execFileSync('sh', ['-c', `${text} -o /dev/null -w '%{http_code}'`], { env, encoding: 'utf8' }));

  assert.ok(commands.length >= 10);
  assert.deepEqual(
    statuses,
    commands.map(({ status }) => status),
  );
});
