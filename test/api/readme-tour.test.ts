import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startCluster } from '../support/cluster.ts';
import { curl } from '../support/curl.ts';
import { shellWords } from '../support/shell-words.ts';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const blocks = [...readme.matchAll(/^```sh tour\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
const commands = blocks.flatMap((block) =>
  [...block.matchAll(/^curl[\s\S]*?^# (\d{3})$/gm)].map(([text, status]) => ({ text: text.replace(/\n# \d{3}$/, ''), status })),
);

test('every command of the tour answers as the README says', { timeout: 60_000 }, async () => {
  await using cluster = await startCluster();
  const variables = new Map([
    ['SVC', cluster.baseUrl],
    ['KEY', cluster.adminKey],
  ]);
  const answers: string[] = [];

  for (const { text } of commands) {
    const answer = await curl(shellWords(text, variables));
    answers.push(`${answer.status} ${text.slice(0, 80)}`);
  }

  assert.deepEqual(
    answers,
    commands.map(({ text, status }) => `${status} ${text.slice(0, 80)}`),
  );
});

test('the tour leaves no curl command out', () => {
  const all = blocks.join('').match(/^curl/gm)?.length;

  assert.ok(commands.length >= 10);
  assert.equal(commands.length, all);
});
