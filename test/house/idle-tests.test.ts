import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idleTests } from './laws/idle-tests.ts';
import { requireNone, whatOf } from './tree/finding.ts';
import { projectRoot } from './tree/project-root.ts';
import { projectSources } from './tree/project-sources.ts';
import { Source } from './tree/source.ts';

test('no test is skipped, and none runs alone', () => {
  requireNone(idleTests(projectSources(projectRoot())), 'Repair the test, or delete it with what it promised.');
});

test('a test that is skipped, alone or still to be written is found in every form', () => {
  const lines = [
    "test.skip('a', () => {});",
    "it.only('b', () => {});",
    "test('c', { todo: true }, () => {});",
    "test('d', (t) => t.skip());",
    "test('e', () => { skip({ skip: 1 }); });",
  ];

  assert.deepEqual(whatOf(idleTests([new Source('test/unit/planted.test.ts', lines.join('\n'))])), [
    'test.skip',
    'it.only',
    'the option todo',
    't.skip',
  ]);
});
