import { SettingsSchema, secretMask, type SettingsValues } from '../../proto/schema/settings.ts';

/** Settings as nested members, as many as somebody gave. */
export interface Tree {
  readonly [name: string]: unknown;
}

/** The groups, so that one which nobody gives gets its defaults. */
const groups: Tree = { app: {}, mail: {}, auth: { passkeys: {} }, oauth: {}, rateLimits: {} };
const secretNames: ReadonlySet<string> = new Set(['apiKey', 'apiSecret', 'clientSecret']);

/** What holds: `saved` over `given` over the defaults. */
export function effectiveSettings(given: Tree, saved: Tree): SettingsValues {
  return SettingsSchema.parse(layered(given, saved));
}

/** The layers in one tree, the defaults aside. */
export function layered(given: Tree, saved: Tree): Tree {
  return merged(merged(groups, given), saved);
}

/** `over` laid on `under`: trees member by member, anything else as a whole; null takes a member away. */
export function merged(under: Tree, over: Tree): Tree {
  const members = new Map(Object.entries(under));
  for (const [name, value] of Object.entries(over)) {
    const present = members.get(name);
    if (value === null) members.delete(name);
    else members.set(name, isTree(value) ? merged(isTree(present) ? present : {}, value) : value);
  }
  return Object.fromEntries(members);
}

/** Without the secrets that were sent back as they are shown. */
export function withoutMasks(tree: Tree): Tree {
  const kept = Object.entries(tree).filter(([name, value]) => !(secretNames.has(name) && value === secretMask));
  return Object.fromEntries(kept.map(([name, value]) => [name, isTree(value) ? withoutMasks(value) : value]));
}

/** The settings as they may be shown. */
export function masked(tree: Tree): Tree {
  const shown = Object.entries(tree).map(([name, value]) => [name, isTree(value) ? masked(value) : maskedValue(name, value)]);
  return Object.fromEntries(shown) as Tree;
}

/** The paths of what a tree gives, such as `mail.provider`. */
export function pathsOf(tree: Tree, prefix = ''): readonly string[] {
  return Object.entries(tree).flatMap(([name, value]) => (isTree(value) ? pathsOf(value, `${prefix}${name}.`) : [`${prefix}${name}`]));
}

function maskedValue(name: string, value: unknown): unknown {
  return secretNames.has(name) && value !== '' ? secretMask : value;
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
