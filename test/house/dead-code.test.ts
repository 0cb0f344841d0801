import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { idlePackages, unreachedFiles, unusedExports } from './laws/dead-code.ts';
import { requireNone, whatOf } from './tree/finding.ts';
import { projectRoot } from './tree/project-root.ts';
import { projectSources } from './tree/project-sources.ts';
import { Source } from './tree/source.ts';

const root = projectRoot();
const sources = projectSources(root);

test('every file is imported or started', () => {
  requireNone(unreachedFiles(sources), 'Delete the file, or use it.');
});

test('every exported function, class and constant is imported somewhere', () => {
  requireNone(unusedExports(sources), 'Take the word `export` away, or the whole thing when its own file does not use it either.');
});

/** Packages that a tool loads by itself, and which tool. */
const loadedByTools: Readonly<Record<string, string>> = {
  'oxlint-tsgolint': 'oxlint --type-aware',
};

test('every package is used by something', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Record<
    string,
    Record<string, string>
  >;
  const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !(name in loadedByTools));

  requireNone(idlePackages(sources, names), 'Uninstall the package, and run `node scripts/complete-lock.mjs`.');
});

const planted: readonly Source[] = [
  new Source(
    'store/main.ts',
    "import { used } from './used.ts';\nimport type { Kind } from './kinds.ts';\nnew Worker(new URL('./hash.js', import.meta.url));\nvoid import('./lazy.ts');\nused(1 as Kind);",
  ),
  new Source(
    'store/used.ts',
    "export function used() {}\nexport function idle() {}\nexport const { a } = {};\nexport { again as renamed } from './again.ts';",
  ),
  new Source('store/again.ts', 'export class again {}\nexport const alone = 1;'),
  new Source('store/kinds.ts', 'export type Kind = 1;\nexport interface Other {}'),
  new Source('store/lazy.ts', 'export const anything = 1;'),
  new Source('store/hash.ts', 'export {};'),
  new Source('store/forgotten.ts', 'export {};'),
];

test('a file that nothing reaches is found, and one that is reached in any way is not', () => {
  assert.deepEqual(unreachedFiles(planted), [{ where: 'store/forgotten.ts', what: 'is imported and started by nothing' }]);
});

test('an export that nobody imports is found', () => {
  assert.deepEqual(unusedExports(planted), [
    { where: 'store/used.ts', what: 'exports idle, which nobody imports' },
    { where: 'store/used.ts', what: 'exports { a }, which nobody imports' },
    { where: 'store/again.ts', what: 'exports alone, which nobody imports' },
  ]);
});

test('a package that nobody names is found', () => {
  const texts = [
    new Source('package.json', '{ "scripts": { "lint": "linter --all" }, "dependencies": { "idle": "1" } }'),
    new Source('store/a.ts', "import used from 'used/part';\nimport 'idle-helper';"),
    new Source('buf.gen.yaml', 'local: ./node_modules/.bin/generator'),
  ];

  assert.deepEqual(whatOf(idlePackages(texts, ['linter', 'used', '@types/used', 'generator', 'idle'])), ['idle is used by nothing']);
});
