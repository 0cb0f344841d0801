import { memberTexts } from '../../../proto/values/json.ts';
import { namesOf, refuseParameter, unaliased } from '../parameters.ts';

/** Which members of an object are wanted, and of those which of theirs. */
export interface FieldTree {
  /** Written `*`: those that are not named are wanted too. */
  readonly isAll: boolean;
  /** By name; undefined: the whole member. */
  readonly members: ReadonlyMap<string, FieldTree | undefined>;
}

const namesMax = 500;
const depthMax = 16;

/** Reads `fields`; undefined: everything is wanted. */
export function readFieldTree(text: string): FieldTree | undefined {
  const names = namesOf(text);
  if (names.length === 0) return undefined;
  if (names.length > namesMax) return refuseParameter('fields', `it takes at most ${namesMax} names`);
  return treeOf(names.map((name) => name.split('.')));
}

function treeOf(paths: readonly (readonly string[])[]): FieldTree | undefined {
  const branches = new Map<string, (readonly string[])[]>();
  let isAll = false;
  for (const [name = '', ...rest] of paths) {
    if (rest.length > depthMax) refuseParameter('fields', `a path has at most ${depthMax} names`);
    if (name === '*' && rest.length === 0) isAll = true;
    else branches.set(unaliased(name), [...(branches.get(unaliased(name)) ?? []), rest]);
  }
  const members = new Map([...branches].map(([name, rest]) => [name, rest.some(({ length }) => length === 0) ? undefined : treeOf(rest)]));
  return isAll && members.size === 0 ? undefined : { isAll, members };
}

/** The wanted members of the JSON object `document`, in the order in which they were named. */
export function projected(document: string, { isAll, members }: FieldTree): string {
  const texts = memberTexts(document);
  const names = isAll ? texts.keys() : members.keys();
  return `{${[...names].map((name) => `${JSON.stringify(name)}:${memberOf(texts.get(name) ?? 'null', members.get(name))}`).join(',')}}`;
}

/** A path may go on into an object of a json field. */
function memberOf(text: string, wanted: FieldTree | undefined): string {
  return wanted !== undefined && text.startsWith('{') ? projected(text, wanted) : text;
}
