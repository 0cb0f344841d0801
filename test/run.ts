// Runs the tests against one throw-away Postgres for the whole run:
//   run.js                     all but those that need tools beside Node
//   run.js long                what is true of random input, asked fifty times as often (SVC_TEST_RUNS: how often)
//   run.js machine             those that do (pgbench, PgBouncer, promtool, Python)
//   run.js store/records api   those whose path holds one of the words; paths of sources may be given too
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { announcement, prepareTemplate } from './support/database.ts';
import { PostgresServer } from './support/postgres-server.ts';

const testRoot = path.dirname(fileURLToPath(import.meta.url));

/** A file that hangs must not hang the run. */
const fileTimeoutMs = 180_000;
const longRuns = '50';
const longFileTimeoutMs = 3 * 60 * 60 * 1000;

process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  const isLong = words[0] === 'long';
  const files = chosenFiles(isLong ? ['property/', ...words.slice(1)] : words);
  if (files.length === 0) return complain(`No test file matches ${words.join(' ')}.`);
  forgetOwnEnvironment();
  if (isLong) process.env['SVC_TEST_RUNS'] ??= longRuns;
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
  await using server = await PostgresServer.start();
  await prepareTemplate(server);
  process.env[announcement.url] = server.url;
  process.env[announcement.superuserUrl] = server.superuserUrl;
  const { passed, failed } = await runFiles(files, { signal: stopping.signal, timeout: isLong ? longFileTimeoutMs : fileTimeoutMs });
  if (stopping.signal.aborted) return 130;
  if (passed + failed === 0) return complain('No test ran.');
  return failed === 0 ? 0 : 1;
}

async function runFiles(
  files: readonly string[],
  { signal, timeout }: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<{ readonly passed: number; readonly failed: number }> {
  const counts = { passed: 0, failed: 0 };
  const events = run({ files: [...files], concurrency: Math.min(2, availableParallelism()), timeout, signal });
  events.on('test:pass', () => (counts.passed += 1));
  events.on('test:fail', ({ todo }) => (counts.failed += todo === undefined || todo === false ? 1 : 0));
  const report = events.compose(new spec()) as NodeJS.ReadableStream;
  report.pipe(process.stdout, { end: false });
  await finished(report);
  return counts;
}

function chosenFiles(words: readonly string[]): string[] {
  const machine = words[0] === 'machine';
  const patterns = (machine ? words.slice(1) : words).map((word) => word.replace(/^\.?\/*(dist\/)?test\//, '').replace(/\.(ts|js)$/, ''));
  return readdirSync(testRoot, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js') && file.startsWith(`machine${path.sep}`) === machine)
    .filter((file) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)))
    .toSorted()
    .map((file) => path.join(testRoot, file));
}

/** A developer's own settings, and a `.env` file, decide nothing in a test. */
function forgetOwnEnvironment(): void {
  for (const name of Object.keys(process.env)) if (/^(SVC_(?!TEST_(RUNS|SEED)$)|EMAIL_|PG[A-Z]+$|DATABASE_)/.test(name)) delete process.env[name];
  process.env['SVC_ENV_FILE'] = 'none';
}

function complain(text: string): number {
  process.stderr.write(`${text}\n`);
  return 1;
}
