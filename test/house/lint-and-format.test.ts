import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { projectRoot } from './tree/project-root.ts';
import { runTool } from './tree/run-tool.ts';
import { ScratchTree } from './tree/scratch-tree.ts';

const root = projectRoot();
const lintEntry = 'oxlint/bin/oxlint';
const formatEntry = 'oxfmt/bin/oxfmt';

/** Code that each of the rules we count on must refuse. */
const planted: Readonly<Record<string, string>> = {
  'no-explicit-any': 'export const a: any = 1;',
  'no-non-null-assertion': 'export const a = (b: string | null): string => b!;',
  'no-default-export': 'export default 1;',
  'no-floating-promises': 'export const a = async (): Promise<void> => {};\nexport const b = (): void => {\n  a();\n};',
  'no-misused-promises': 'export const a = async (): Promise<boolean> => true;\nexport const b = (): number => (a() ? 1 : 2);',
  'switch-exhaustiveness-check': "export const a = (b: 'x' | 'y'): number => {\n  switch (b) {\n    case 'x':\n      return 1;\n  }\n  return 2;\n};",
  'no-console': "console.log('x');",
  'consistent-type-imports': "import { Stats } from 'node:fs';\nexport type A = Stats;",
  'no-cycle': "import { other } from './no-cycle-other.ts';\nexport const it = 1;\nexport const sum = (): number => other + 1;",
  eqeqeq: 'export const a = (b: number): boolean => b == 1;',
  'prefer-const': 'export const a = (): number => {\n  let b = 1;\n  return b;\n};',
  'no-param-reassign': 'export const a = (b: number): number => {\n  b = 2;\n  return b;\n};',
  'no-else-return': 'export const a = (b: number): number => {\n  if (b > 1) {\n    return 1;\n  } else {\n    return 2;\n  }\n};',
  'no-shadow': 'export const a = (b: number): number => [1].map((b) => b + 1).length + b;',
  'no-unused-vars': 'const unused = 1;\nexport const a = 2;',
  'only-throw-error': "export const a = (): never => {\n  throw 'x';\n};",
  'no-unsafe-member-access': 'export const a = (text: string): unknown => JSON.parse(text).member;',
  'no-nested-ternary': 'export const a = (b: number): number => (b > 1 ? 1 : b > 0 ? (b > 0.5 ? 2 : 3) : 4);',
  'prefer-node-protocol': "import { readFileSync } from 'fs';\nexport const a = readFileSync;",
  'no-array-sort': 'export const a = (b: number[]): number[] => b.sort((x, y) => x - y);',
  'filename-case': 'export const a = 1;',
};

test('the linter finds nothing, types included', async () => {
  const { code, output } = await runTool({ root, entry: lintEntry, options: ['--type-aware'], cwd: root });

  assert.equal(code, 0, `Correct what the linter names (node_modules/.bin/oxlint --type-aware --fix does the simple ones):\n${output}`);
});

test('every file is formatted', async () => {
  const { code, output } = await runTool({ root, entry: formatEntry, options: ['--check'], cwd: root });

  assert.equal(code, 0, `Run node_modules/.bin/oxfmt; it formats every file:\n${output}`);
});

test('every rule that we count on refuses the code planted for it', async () => {
  using tree = lintTree();
  for (const [rule, code] of Object.entries(planted)) tree.write(`src/${rule === 'filename-case' ? 'FilenameCase' : rule}.ts`, `${code}\n`);
  tree.write('src/no-cycle-other.ts', "import { it } from './no-cycle.ts';\nexport const other = 1;\nexport const again = (): number => it;\n");

  const { code, output } = await runTool({ root, entry: lintEntry, options: ['--type-aware', '--format=unix', 'src'], cwd: tree.root });

  const missed = Object.keys(planted).filter((rule) => !new RegExp(`${rule}[^/\\n]*\\.ts.*\\b${rule}\\b|FilenameCase.*${rule}`).test(output));
  assert.notEqual(code, 0);
  assert.deepEqual(missed, [], `Switch these rules on again in .oxlintrc.json. The linter said:\n${output}`);
});

test('clean code passes the linter, and a warning alone would not', async () => {
  using tree = lintTree();
  tree.write('src/clean.ts', 'export const sum = (a: number, b: number): number => a + b;\n');
  const clean = await runTool({ root, entry: lintEntry, options: ['--type-aware', 'src'], cwd: tree.root });
  tree.write('src/warned.ts', '// oxlint-disable-next-line no-console\nexport const sum = 1;\n');
  const warned = await runTool({ root, entry: lintEntry, options: ['--type-aware', 'src'], cwd: tree.root });

  assert.equal(clean.code, 0, clean.output);
  assert.notEqual(warned.code, 0, 'A disable comment without need must fail the lint.');
});

test('a file in another format is found', async () => {
  using tree = new ScratchTree({
    '.oxfmtrc.json': readFileSync(path.join(root, '.oxfmtrc.json'), 'utf8'),
    'good.ts': "export const a = 'x';\n",
    'bad.ts': 'export const a = "x"\n',
  });
  const { code, output } = await runTool({ root, entry: formatEntry, options: ['--check'], cwd: tree.root });

  assert.notEqual(code, 0);
  assert.match(output, /bad\.ts/);
  assert.doesNotMatch(output, /good\.ts/);
});

/** A project with our configuration and our packages, and no code yet. */
function lintTree(): ScratchTree {
  const tree = new ScratchTree({
    '.oxlintrc.json': readFileSync(path.join(root, '.oxlintrc.json'), 'utf8'),
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify({ ...(JSON.parse(readFileSync(path.join(root, 'tsconfig.json'), 'utf8')) as object), include: ['src'] }),
  });
  tree.link('node_modules', path.join(root, 'node_modules'));
  return tree;
}
