import { wireTime } from '../../../proto/values/time.ts';
import type { RequestOperand } from '../check/typed-tree.ts';
import { macros, type MacroName } from './macros.ts';
import { requestList, requestValue, type RequestForm } from './request-value.ts';
import type { RequestValues } from './request-values.ts';

/** Where a parameter of a compiled condition gets its text from. */
export type ParameterSource =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'macro'; readonly name: MacroName }
  | { readonly kind: 'request'; readonly part: RequestOperand['part']; readonly path: readonly string[]; readonly as: RequestForm | 'list' }
  /** Whether the request changes a field; null where the row tells. */
  | { readonly kind: 'changed'; readonly field: string };

/** The parameters of a condition for one request, as the texts that Postgres casts. */
export function bindParameters(sources: readonly ParameterSource[], request: RequestValues, now: Date): (string | null)[] {
  return sources.map((source) => {
    switch (source.kind) {
      case 'literal':
        return source.text;
      case 'macro':
        return macroText(source.name, now);
      case 'request':
        return requestText(source, request);
      case 'changed':
        return request.changes === undefined ? null : String(request.changes.has(source.field));
    }
  });
}

function macroText(name: MacroName, now: Date): string {
  const value = macros[name].at(now);
  return macros[name].type === 'instant' ? wireTime(value) : String(value);
}

function requestText(source: Extract<ParameterSource, { kind: 'request' }>, request: RequestValues): string | null {
  if (source.as === 'list') {
    const list = requestList(request, source);
    return list === undefined ? null : arrayText(list);
  }
  const value = requestValue(request, source, source.as);
  if (value === undefined || value === null) return null;
  return source.as === 'instant' ? wireTime(Number(value)) : String(value);
}

/** Postgres' text form of an array; every element is quoted, so `NULL` is a text like others. */
function arrayText(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
