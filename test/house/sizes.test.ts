import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileLinesMax, folderFilesMax, fullFolders, functionLinesMax, longFiles, longFunctions } from './laws/sizes.ts';
import { requireNone, whatOf } from './tree/finding.ts';
import { projectRoot } from './tree/project-root.ts';
import { projectSources } from './tree/project-sources.ts';
import { Source } from './tree/source.ts';

const sources = projectSources(projectRoot());

test(`no file has more than ${fileLinesMax} lines`, () => {
  requireNone(longFiles(sources), `Give a second idea a file of its own; a file has at most ${fileLinesMax} lines, aim for 100.`);
});

test(`no function has more than ${functionLinesMax} lines`, () => {
  requireNone(longFunctions(sources), `Name the steps and make them functions; one has at most ${functionLinesMax} lines, aim for 12.`);
});

test(`no folder has more than ${folderFilesMax} files`, () => {
  requireNone(fullFolders(sources), `Group what belongs together in a folder below; one has at most ${folderFilesMax} files, aim for 10.`);
});

test('a file of one line too many is found, and its generated twin is not', () => {
  const text = 'export {};\n'.repeat(fileLinesMax + 1);
  const planted = [
    new Source('store/long.ts', text),
    new Source('proto/gen/long.ts', text),
    new Source('store/just-fits.ts', text.slice('export {};\n'.length)),
  ];

  assert.deepEqual(longFiles(planted), [{ where: 'store/long.ts', what: '401 lines' }]);
});

test('a function of one line too many is found in every form that a function has', () => {
  const body = '{\n'.concat('  void 0;\n'.repeat(functionLinesMax - 1), '}');
  const forms = [
    `function named() ${body}`,
    `const arrow = () => ${body};`,
    `class Kept { method() ${body} }`,
    `const made = { key: function () ${body} };`,
  ];

  assert.deepEqual(whatOf(longFunctions([new Source('store/long.ts', forms.join('\n'))])), [
    'named has 61 lines',
    'arrow has 61 lines',
    'method has 61 lines',
    'key has 61 lines',
  ]);
});

test('a function that just fits is not found, nor is a list of tests', () => {
  const body = '{\n'.concat('  void 0;\n'.repeat(functionLinesMax - 2), '}');
  const listOfTests = `describe('many', () => {\n${'  test();\n'.repeat(functionLinesMax)}});`;

  assert.deepEqual(longFunctions([new Source('test/unit/fits.ts', `function fits() ${body}\n${listOfTests}`)]), []);
});

test('a folder with one file too many is found', () => {
  const planted = Array.from({ length: folderFilesMax + 1 }, (_, index) => new Source(`store/full/${index}.ts`, ''));

  assert.deepEqual(fullFolders([...planted, new Source('store/other/a.ts', '')]), [{ where: 'store/full', what: '21 files' }]);
});
