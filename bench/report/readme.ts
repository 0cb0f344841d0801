import { readFile, writeFile } from 'node:fs/promises';
import { repositoryRoot } from '../repository-root.ts';

const README = new URL('bench/README.md', repositoryRoot);

/** Puts text between the two markers of a section of bench/README.md: `<!-- name -->` and `<!-- /name -->`. */
export async function writeReadmeSection(name: 'table' | 'profile' | 'soak', text: string): Promise<void> {
  await writeFile(README, replaceSection(await readFile(README, 'utf8'), name, text));
}

export function replaceSection(readme: string, name: string, text: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [readme.indexOf(open), readme.indexOf(close)];
  if (from < 0 || to < from) throw new TypeError(`bench/README.md has no section ${open} … ${close}`);
  return `${readme.slice(0, from + open.length)}\n\n${text.trim()}\n\n${readme.slice(to)}`;
}
