import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brokenLinks, foreignTalk, rooms, roomsWithoutReadme } from './laws/documents.ts';
import { requireNone, whatOf } from './tree/finding.ts';
import { projectRoot } from './tree/project-root.ts';
import { projectSources } from './tree/project-sources.ts';
import { Source } from './tree/source.ts';

const sources = projectSources(projectRoot());

test('every room has a README', () => {
  requireNone(roomsWithoutReadme(sources), 'Write one: a paragraph of purpose, one walk through the room, a numbered list of decisions.');
});

test('every relative link in a document leads somewhere', () => {
  requireNone(brokenLinks(sources), 'Correct the link, or take it out with what it promised.');
});

test('nothing speaks of a machine, its paths, or how the work was done', () => {
  requireNone(foreignTalk(sources), 'Say it in terms of the project alone, with relative paths.');
});

test('a missing and an empty README are found', () => {
  const full = 'A room of the house and what it is for. '.repeat(10);
  const planted = rooms.filter((room) => room !== 'store').map((room) => new Source(`${room}/README.md`, room === 'bench' ? '# bench' : full));

  assert.deepEqual(roomsWithoutReadme(planted), [
    { where: 'store/README.md', what: 'is missing' },
    { where: 'bench/README.md', what: 'says next to nothing' },
  ]);
});

test('a link to a missing file, folder or heading is found', () => {
  const text =
    '[a](../store/read.ts) [b](#the-walk) [c](../README.md#start) [d](https://example.com/x) `[e](code.md)`\n[f](gone.md) [g](../README.md#gone) [h](#gone) [i](../store)\n\n# The walk';
  const planted = [new Source('gateway/README.md', text), new Source('README.md', '## Start'), new Source('store/read.ts', '')];

  assert.deepEqual(whatOf(brokenLinks(planted)), [
    'the link gone.md leads nowhere',
    'the link ../README.md#gone leads nowhere',
    'the link #gone leads nowhere',
  ]);
});

test('a path of a machine and talk about the work are found', () => {
  const lines = [
    `see ${['', 'work', 'main'].join('/')}/x`,
    `"${['', 'root', '.npm'].join('/')}/x"`,
    ['as the', 'lead wants'].join(' '),
    ['see issue', '7'].join(' '),
  ];
  const planted = lines.map((line, index) => new Source(`store/${index}.md`, `first line\n${line}`));
  const innocent = new Source('store/README.md', 'The workers/ room leads; POST /api/svc/work/records answers; a path such as ./work/main is ours.');

  assert.deepEqual(foreignTalk([...planted, innocent]), [
    { where: 'store/0.md:2', what: 'a path of one machine' },
    { where: 'store/1.md:2', what: 'a path of one machine' },
    { where: 'store/2.md:2', what: 'a word about how the work was shared out' },
    { where: 'store/3.md:2', what: 'the number of an issue' },
  ]);
});
