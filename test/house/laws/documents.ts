import path from 'node:path';
import type { Finding } from '../tree/finding.ts';
import type { Source } from '../tree/source.ts';

/** The rooms, each with a README that a newcomer reads first. */
export const rooms: readonly string[] = ['proto', 'gateway', 'store', 'workers', 'k8s', 'bench', 'test'];

const readmeWordsMin = 60;

/** Rooms whose README is missing or says next to nothing. */
export function roomsWithoutReadme(sources: readonly Source[]): Finding[] {
  return rooms.flatMap((room) => {
    const readme = sources.find((source) => source.path === `${room}/README.md`);
    if (readme === undefined) return [{ where: `${room}/README.md`, what: 'is missing' }];
    return readme.text.split(/\s+/).length < readmeWordsMin ? [{ where: readme.path, what: 'says next to nothing' }] : [];
  });
}

/** Relative links in documents that lead to no file, no folder and no heading. */
export function brokenLinks(sources: readonly Source[]): Finding[] {
  const documents = sources.filter((source) => source.path.endsWith('.md'));
  return documents.flatMap((source) =>
    linksOf(source)
      .filter((link) => !leadsSomewhere(sources, source, link))
      .map((link) => ({ where: source.path, what: `the link ${link} leads nowhere` })),
  );
}

// The patterns are written so that this file does not hold what they look for.
const foreignWords: readonly { readonly shape: RegExp; readonly what: string }[] = [
  { shape: /(^|[\s"'`(=:])[/](work|root|home[/]\w+|Users[/]\w+)[/]/m, what: 'a path of one machine' },
  { shape: /[/]tmp[/](briefs|bash_jobs)/, what: 'a path of one machine' },
  { shape: /\b(the[ ]lead|(my|your|the)[ ]brief|sub-?agents?)\b/i, what: 'a word about how the work was shared out' },
  { shape: /\b(cl[a]ude|anthr[o]pic|chatg[p]t|copil[o]t)\b/i, what: 'the name of a tool that the project does not use' },
  { shape: /\b(see|of|for|in|by)[ ]issue[ ]#?\d/i, what: 'the number of an issue' },
];

/** Files that speak of anything but the project: a machine, its paths, who wrote it and with what. */
export function foreignTalk(sources: readonly Source[]): Finding[] {
  return sources
    .filter((source) => !source.isGenerated && source.path !== 'package-lock.json')
    .flatMap((source) =>
      foreignWords.filter(({ shape }) => shape.test(source.text)).map(({ shape, what }) => ({ where: whereOf(source, shape), what })),
    );
}

function whereOf(source: Source, shape: RegExp): string {
  const before = source.text.slice(0, source.text.search(shape) + 1);
  return `${source.path}:${before.split('\n').length}`;
}

function linksOf(source: Source): string[] {
  const prose = source.text.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`\n]*`/g, '');
  const links = [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g), ...prose.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)].map((match) => match[1] ?? '');
  return links.filter((link) => !/^[a-z][a-z0-9+.-]*:/i.test(link) && !link.startsWith('//'));
}

function leadsSomewhere(sources: readonly Source[], source: Source, link: string): boolean {
  const [file = '', heading] = decodeURI(link).split('#');
  const target = file === '' ? source.path : path.posix.join(path.posix.dirname(source.path), file).replace(/\/$/, '');
  if (heading !== undefined && target.endsWith('.md')) return sources.some((each) => each.path === target && anchorsOf(each).has(heading));
  return target === '.' || sources.some((each) => each.path === target || each.path.startsWith(`${target}/`));
}

/** The anchors of a document's headings as code hosts make them. */
function anchorsOf(source: Source): Set<string> {
  const headings = [...source.text.matchAll(/^#{1,6}\s+(.+)$/gm)].map((match) => match[1] ?? '');
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(/\s/g, '-'),
    ),
  );
}
