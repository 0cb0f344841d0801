import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What stands in proto/gen/stamp.txt: one hash of what was declared, one of what was generated from it. */
export function protoStamp(root) {
  return `declared ${declaredHash(root)}\ngenerated ${generatedHash(root)}\n`;
}

/** Everything that decides what the generator writes: the declarations, its options and its version. */
function declaredHash(root) {
  const { version } = JSON.parse(readFileSync(path.join(root, 'node_modules', 'ts-proto', 'package.json'), 'utf8'));
  return hashOf(root, [...filesUnder(root, 'proto/svc'), 'buf.gen.yaml'], version);
}

/** The generated files as they are, so that an edit by hand is seen. */
function generatedHash(root) {
  return hashOf(root, filesUnder(root, 'proto/gen/svc'));
}

/** Names and lengths go in beside the bytes: no two trees that differ give the same input. */
function hashOf(root, files, ...more) {
  const hash = createHash('sha256');
  for (const file of files) {
    const bytes = readFileSync(path.join(root, file));
    hash.update(`${file} ${bytes.length}\n`).update(bytes);
  }
  for (const text of more) hash.update(text);
  return hash.digest('hex');
}

function filesUnder(root, folder) {
  const entries = readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
  return files.map((file) => file.replaceAll(path.sep, '/')).toSorted();
}
