import { namesOf, readParameters, refuseParameter, unaliased } from '../parameters.ts';

/** How far a list counts: up to the limit, all of it, or not at all (CONTRACT section 3). */
export type TotalKind = 'bounded' | 'exact' | 'none';

/** A member of the record, or of a record that relations lead to. */
export type SortKey = { readonly kind: 'path'; readonly names: readonly string[]; readonly isDescending: boolean } | { readonly kind: 'random' };

/** What a list was asked for, checked as far as no schema is needed. */
export interface ListQuery {
  readonly page: number;
  readonly perPage: number;
  /** As given; empty: from `page`. */
  readonly cursor: string;
  readonly sort: readonly SortKey[];
  readonly total: TotalKind;
  /** The expression as it was written; empty: all records. */
  readonly filter: string;
  /** Words to look for; empty: not asked. */
  readonly search: string;
}

const perPageDefault = 30;
const perPageMax = 500;
const sortKeysMax = 8;
const searchLengthMax = 500;

/** Reads the query string of a list; fails with `bad_query` naming the parameter. */
export function readListQuery(query: string): ListQuery {
  const parameters = readParameters(query);
  const sort = sortKeys(parameters.get('sort') ?? '');
  return {
    page: wholeNumber(parameters, 'page', 1),
    perPage: Math.min(wholeNumber(parameters, 'perPage', perPageDefault), perPageMax),
    cursor: cursorOf(parameters, sort),
    sort,
    total: totalKind(parameters),
    filter: parameters.get('filter') ?? '',
    search: searchOf(parameters),
  };
}

function wholeNumber(parameters: ReadonlyMap<string, string>, name: string, fallback: number): number {
  const text = parameters.get(name);
  if (text === undefined) return fallback;
  const number = Number(text);
  if (!/^\d{1,16}$/.test(text) || number < 1 || !Number.isSafeInteger(number)) return refuseParameter(name, 'it must be a whole number from 1');
  return number;
}

function sortKeys(text: string): readonly SortKey[] {
  const names = namesOf(text);
  if (names.length > sortKeysMax) return refuseParameter('sort', `it takes at most ${sortKeysMax} keys`);
  return names.map((name) => {
    if (name === '@random') return { kind: 'random' };
    const path = name.replace(/^[-+]/, '').split('.');
    return {
      kind: 'path',
      names: path.map((part, index) => (index === path.length - 1 ? unaliased(part) : part)),
      isDescending: name.startsWith('-'),
    };
  });
}

function cursorOf(parameters: ReadonlyMap<string, string>, sort: readonly SortKey[]): string {
  const cursor = parameters.get('cursor');
  if (cursor === undefined || cursor === '') return '';
  if (parameters.has('page')) refuseParameter('cursor', 'it says where the page begins, so that page cannot be given too');
  if (sort.some(({ kind }) => kind === 'random')) refuseParameter('cursor', 'a random order cannot be walked');
  return cursor;
}

function searchOf(parameters: ReadonlyMap<string, string>): string {
  const search = (parameters.get('search') ?? '').trim();
  return search.length > searchLengthMax ? refuseParameter('search', `it has at most ${searchLengthMax} characters`) : search;
}

function totalKind(parameters: ReadonlyMap<string, string>): TotalKind {
  const skip = parameters.get('skipTotal');
  if (skip !== undefined && !['true', 'false', '1', '0'].includes(skip)) refuseParameter('skipTotal', 'it must be true or false');
  const total = parameters.get('total');
  if (total !== undefined && total !== 'exact' && total !== 'none') refuseParameter('total', 'it must be exact or none');
  if (total === 'none' || skip === 'true' || skip === '1') return 'none';
  return total === 'exact' ? 'exact' : 'bounded';
}
