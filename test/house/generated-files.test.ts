import assert from 'node:assert/strict';
import { appendFileSync, cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { projectRoot } from './tree/project-root.ts';
import { projectScript } from './tree/project-script.ts';
import { ScratchTree } from './tree/scratch-tree.ts';

const root = projectRoot();
const { protoStamp } = await projectScript<{ protoStamp: (root: string) => string }>(root, 'scripts/proto-stamp.mjs');

test('the generated wire code is what the .proto files declare, unchanged by hand', () => {
  const stamp = readFileSync(path.join(root, 'proto/gen/stamp.txt'), 'utf8');

  assert.equal(stamp, protoStamp(root), 'Run `npm run proto` and commit what it writes. Nothing in proto/gen is edited by hand.');
});

for (const [file, line] of [
  ['proto/svc/v1/records.proto', 'declared'],
  ['buf.gen.yaml', 'declared'],
  ['proto/gen/svc/v1/records.ts', 'generated'],
] as const) {
  test(`a change of ${file} alone changes what is ${line}`, () => {
    using tree = copyOfWire();
    const before = protoStamp(tree.root).split('\n');
    appendFileSync(path.join(tree.root, file), ' ');
    const after = protoStamp(tree.root).split('\n');

    const changed = after.filter((each, index) => each !== before[index]).map((each) => each.split(' ')[0]);

    assert.deepEqual(changed, [line]);
  });
}

function copyOfWire(): ScratchTree {
  const tree = new ScratchTree({});
  for (const part of ['proto/svc', 'proto/gen', 'buf.gen.yaml', 'node_modules/ts-proto/package.json']) {
    cpSync(path.join(root, part), path.join(tree.root, part), { recursive: true });
  }
  return tree;
}
