import { SvcError } from '../../../proto/errors/svc-error.ts';
import { headerOf, type HttpCall } from '../../../proto/schema/http-call.ts';
import { parseJson } from '../../../proto/values/json.ts';

/** The text fields of a body, JSON or form (RFC 6749, appendix B); undefined where it is neither. */
export function formFields(call: HttpCall): ReadonlyMap<string, string> | undefined {
  if (call.body.length === 0) return new Map();
  if (headerOf(call, 'content-type').toLowerCase().startsWith('application/x-www-form-urlencoded'))
    return new Map(new URLSearchParams(Buffer.from(call.body).toString('utf8')));
  try {
    const { value } = parseJson(call.body);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return new Map(Object.entries(value).flatMap(([name, field]) => (typeof field === 'string' ? [[name, field]] : [])));
  } catch (error) {
    if (error instanceof SvcError) return undefined;
    throw error;
  }
}
