import { isStorableText } from '../../../proto/fields/checked.ts';
import { instantText } from '../check/instant-text.ts';
import type { RequestOperand, ValueType } from '../check/typed-tree.ts';
import { limits } from '../limits.ts';
import { likePattern } from '../operators/like.ts';
import { numberText } from '../operators/number-text.ts';
import type { Value } from '../operators/value.ts';
import { lookUp, type RequestValues } from './request-values.ts';

/** What a value of the request is wanted as. */
export type RequestForm = ValueType | 'presence' | 'pattern' | 'isset' | 'length';

/** One value of the request as `form`; undefined where it is absent or cannot be that. */
export function requestValue(request: RequestValues, { part, path }: Pick<RequestOperand, 'part' | 'path'>, form: RequestForm): Value | undefined {
  const found = lookUp(request, part, path);
  if (form === 'isset') return found !== undefined;
  return found === undefined ? undefined : forms[form](found);
}

/** The values of a list of the request, as texts; undefined where it is absent or no list of scalars. */
export function requestList(request: RequestValues, { part, path }: Pick<RequestOperand, 'part' | 'path'>): readonly string[] | undefined {
  const found = lookUp(request, part, path);
  if (found === undefined) return undefined;
  const values = found === null ? [] : [found].flat();
  const texts = values.map(toText).filter((text) => text !== undefined);
  return texts.length === values.length ? texts : undefined;
}

const numericText = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
const dayText = /^\d{4}-\d{2}-\d{2}$/;

const forms: Readonly<Record<Exclude<RequestForm, 'isset'>, (found: unknown) => Value | undefined>> = {
  text: toText,
  number: toNumber,
  bool: toBool,
  instant: toInstant,
  date: (found) => (typeof found === 'string' && dayText.test(found) && instantText(found) !== undefined ? found : undefined),
  presence: (found) => !(found === null || found === '' || (Array.isArray(found) && found.length === 0)),
  pattern: toPattern,
  length: toLength,
};

/** A null in a body is the empty text: the caller clears the field. */
function toText(found: unknown): string | undefined {
  if (found === null) return '';
  if (typeof found === 'number') return Number.isFinite(found) ? numberText(found) : undefined;
  if (typeof found === 'boolean') return String(found);
  return isStorableText(found) ? found : undefined;
}

function toNumber(found: unknown): number | undefined {
  const value = typeof found === 'string' && numericText.test(found) ? Number(found) : found;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function toBool(found: unknown): boolean | undefined {
  if (found === true || found === 'true' || found === 1 || found === '1') return true;
  return found === false || found === 'false' || found === 0 || found === '0' ? false : undefined;
}

function toInstant(found: unknown): number | undefined {
  const text = typeof found === 'string' ? instantText(found) : undefined;
  return text === undefined ? undefined : Date.parse(text);
}

function toLength(found: unknown): number | undefined {
  if (found === null) return 0;
  return Array.isArray(found) ? found.length : undefined;
}

function toPattern(found: unknown): string | undefined {
  const text = toText(found);
  return text === undefined || text.length > limits.pattern ? undefined : likePattern(text);
}
