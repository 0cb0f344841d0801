import type { RequestPart } from '../check/typed-tree.ts';

/** What a rule may know of a request. Names of headers are lower case, with `_` for `-`. */
export interface RequestValues {
  /** The live account with its collection's name as `svc`; null for a guest. */
  readonly auth: Readonly<Record<string, unknown>> | null;
  readonly body: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly method: string;
  readonly context: string;
  /** The fields that the request changes, where the row at hand is what it would become; absent where that is the row as it was. */
  readonly changes?: ReadonlySet<string> | undefined;
}

/** The value that stands at a path of the request; undefined where there is none. An account's null is none: it must equal nothing. */
export function lookUp(request: RequestValues, part: RequestPart, path: readonly string[]): unknown {
  if (part === 'method' || part === 'context') return request[part];
  const found = path.reduce<unknown>(memberOf, request[part] ?? undefined);
  return part === 'auth' ? (found ?? undefined) : found;
}

/** The member `name` of an object, or the n-th of a list. What a prototype has is never found. */
export function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return /^\d{1,9}$/.test(name) ? (value as unknown[])[Number(name)] : undefined;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
