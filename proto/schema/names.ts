import { systemFieldNames } from './definition.ts';

/** What a collection or a field may be called: at most 63 characters, which is what Postgres keeps of a name. */
export const namePattern = /^[A-Za-z][A-Za-z0-9_]{0,62}$/;

/** Names of our own indexes and keys, which share a namespace with tables. */
const derivedNamePattern = /^(ix|ux|pk|fts)_[a-z0-9]{12}$/i;

const reservedFieldNames: ReadonlySet<string> = new Set([
  ...systemFieldNames,
  'created',
  'createdat',
  'updated',
  'updatedat',
  'true',
  'false',
  'null',
  'xmin',
  'ctid',
  'cmin',
  'cmax',
  'xmax',
  'tableoid',
  'expand',
  'password',
  'passwordconfirm',
  'oldpassword',
]);

/** Two names that differ in case only are one name. */
export function nameKey(name: string): string {
  return name.toLowerCase();
}

/** `subscribe` is a route beside the collections'; `_via_` is how a filter names a back-relation. */
export function isReservedCollectionName(name: string): boolean {
  const key = nameKey(name);
  return key === 'subscribe' || key.startsWith('_') || key.includes('_via_') || derivedNamePattern.test(name);
}

export function isReservedFieldName(name: string): boolean {
  const key = nameKey(name);
  return reservedFieldNames.has(key) || key.includes('_via_');
}
