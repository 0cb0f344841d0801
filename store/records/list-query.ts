import { fail } from '../../proto/errors/svc-error.ts';

/** How far a list counts: up to the limit, all of it, or not at all (CONTRACT section 3). */
export type TotalKind = 'bounded' | 'exact' | 'none';

export type SortKey = { readonly kind: 'member'; readonly name: string; readonly isDescending: boolean } | { readonly kind: 'random' };

/** What a list was asked for, checked as far as no schema is needed. */
export interface ListQuery {
  readonly page: number;
  readonly perPage: number;
  readonly sort: readonly SortKey[];
  /** Empty: all that the caller may see. */
  readonly fields: readonly string[];
  readonly total: TotalKind;
  /** The expression as it was written; empty: all records. */
  readonly filter: string;
}

const perPageDefault = 30;
const perPageMax = 500;
const sortKeysMax = 8;
const aliases: Readonly<Record<string, string>> = { created: 'created_at', createdAt: 'created_at', updated: 'updated_at', updatedAt: 'updated_at' };

/** Parameters that are still to come; until then a request that uses one must not be answered as if it had not. */
const notYet = ['expand', 'search', 'cursor'];

/** Reads the query string of a list; fails with `bad_query` naming the parameter. */
export function readListQuery(query: string): ListQuery {
  const parameters = readParameters(query);
  return {
    page: wholeNumber(parameters, 'page', 1),
    perPage: Math.min(wholeNumber(parameters, 'perPage', perPageDefault), perPageMax),
    sort: sortKeys(parameters.get('sort') ?? ''),
    fields: fieldNames(parameters),
    total: totalKind(parameters),
    filter: parameters.get('filter') ?? '',
  };
}

/** Reads the `fields` of a query string; empty: all. */
export function readFields(query: string): readonly string[] {
  return query === '' ? [] : fieldNames(readParameters(query));
}

/** The parameters of a query string, decoded; each stands once. */
export function readParameters(query: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  if (query === '') return parameters;
  for (const part of query.split('&')) {
    const cut = part.indexOf('=');
    const name = decode(cut === -1 ? part : part.slice(0, cut), part);
    const value = cut === -1 ? '' : decode(part.slice(cut + 1), name);
    if (parameters.has(name)) refuse(name, 'it is given twice');
    if (name !== '') parameters.set(name, value);
  }
  for (const name of notYet) if (parameters.has(name)) refuse(name, 'it is not available yet');
  return parameters;
}

function decode(text: string, parameter: string): string {
  const decoded = text.includes('%') || text.includes('+') ? percentDecoded(text, parameter) : text;
  if (decoded.includes('\0')) refuse(parameter, 'it holds a NUL character');
  return decoded;
}

function percentDecoded(text: string, parameter: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return refuse(parameter, 'its percent-encoding is broken');
  }
}

function wholeNumber(parameters: ReadonlyMap<string, string>, name: string, fallback: number): number {
  const text = parameters.get(name);
  if (text === undefined) return fallback;
  const number = Number(text);
  if (!/^\d{1,16}$/.test(text) || number < 1 || !Number.isSafeInteger(number)) return refuse(name, 'it must be a whole number from 1');
  return number;
}

function sortKeys(text: string): readonly SortKey[] {
  const names = namesOf(text);
  if (names.length > sortKeysMax) return refuse('sort', `it takes at most ${sortKeysMax} keys`);
  return names.map((name) => {
    if (name === '@random') return { kind: 'random' };
    const isDescending = name.startsWith('-');
    return { kind: 'member', name: unaliased(name.replace(/^[-+]/, '')), isDescending };
  });
}

function fieldNames(parameters: ReadonlyMap<string, string>): readonly string[] {
  const names = namesOf(parameters.get('fields') ?? '');
  return names.includes('*') ? [] : [...new Set(names.map(unaliased))];
}

function totalKind(parameters: ReadonlyMap<string, string>): TotalKind {
  const skip = parameters.get('skipTotal');
  if (skip !== undefined && !['true', 'false', '1', '0'].includes(skip)) refuse('skipTotal', 'it must be true or false');
  const total = parameters.get('total');
  if (total !== undefined && total !== 'exact' && total !== 'none') refuse('total', 'it must be exact or none');
  if (total === 'none' || skip === 'true' || skip === '1') return 'none';
  return total === 'exact' ? 'exact' : 'bounded';
}

function namesOf(text: string): readonly string[] {
  return text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
}

function unaliased(name: string): string {
  return Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
}

function refuse(parameter: string, reason: string): never {
  return fail('bad_query', { values: { parameter, reason } });
}
