import { readdirSync, readFileSync, type Dirent } from 'node:fs';
import path from 'node:path';
import { Source } from './source.ts';

/** What git ignores, and git itself: nothing of it is written by us. */
const notOurs = new Set(['.git', 'node_modules', 'dist', 'svc-data', '.env', '.bootstrap.lock']);

/** Every text file below `root` that belongs to the project. */
export function projectSources(root: string): Source[] {
  const files = filesBelow(root, '').filter((file) => !file.endsWith('.log'));
  return files
    .map((file) => ({ file, bytes: readFileSync(path.join(root, file)) }))
    .filter(({ bytes }) => !bytes.includes(0))
    .map(({ file, bytes }) => new Source(file, bytes.toString('utf8')));
}

function filesBelow(root: string, folder: string): string[] {
  const entries = readdirSync(path.join(root, folder), { withFileTypes: true }).filter((entry) => !notOurs.has(entry.name));
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)).flatMap((entry) => filesOf(root, folder, entry));
}

function filesOf(root: string, folder: string, entry: Dirent): string[] {
  const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
  if (entry.isDirectory()) return filesBelow(root, file);
  return entry.isFile() ? [file] : [];
}
