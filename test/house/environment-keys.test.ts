import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keysApart } from './laws/environment-keys.ts';
import { requireNone } from './tree/finding.ts';
import { projectRoot } from './tree/project-root.ts';
import { projectSources } from './tree/project-sources.ts';
import { Source } from './tree/source.ts';

test('.env.example lists every key that is read, and no other', () => {
  requireNone(
    keysApart(projectSources(projectRoot())),
    'Add the key to .env.example with a line that explains it, or take it out where it is read by nobody.',
  );
});

test('a key on one side only is found, wherever its shape is declared', () => {
  const planted = [
    new Source('.env.example', '# The port.\nSVC_PORT=8090\n# SVC_OPTIONAL=\nSVC_FORGOTTEN=1\n'),
    new Source(
      'gateway/config.ts',
      "import { shared as common } from '../proto/process/shared.ts';\nconst own = { SVC_PORT: port(8090), SVC_OPTIONAL: text('') };\nreadConfig({ ...own, ...common, SVC_INLINE: list() });",
    ),
    new Source('proto/process/shared.ts', 'export const shared = {\n  SVC_SHARED: text(),\n} as const;'),
    new Source('proto/process/config.ts', "const file = own['SVC_FILE'];"),
  ];

  assert.deepEqual(keysApart(planted), [
    { where: '.env.example', what: 'SVC_FORGOTTEN is read by nobody' },
    { where: 'proto/process/shared.ts:2', what: 'SVC_SHARED is read and stands not in .env.example' },
    { where: 'gateway/config.ts:3', what: 'SVC_INLINE is read and stands not in .env.example' },
    { where: 'proto/process/config.ts:1', what: 'SVC_FILE is read and stands not in .env.example' },
  ]);
});

test('a shape that cannot be followed is found', () => {
  assert.deepEqual(keysApart([new Source('gateway/config.ts', 'readConfig(shapeOf(role));')]), [
    { where: 'gateway/config.ts:1', what: 'the keys of shapeOf(role) cannot be told; declare the shape as a constant object' },
  ]);
});
