import { fail } from '../../proto/errors/svc-error.ts';
import type { RequestHead } from '../http/request-head.ts';

/** Fails with `unsupported_media_type` where a body is sent that does not call itself JSON in UTF-8, or a form where one is taken; no body is nothing to refuse. */
export function requireBodyType(head: RequestHead, takesForm: boolean): void {
  if (!head.hasBody) return;
  const isTaken = isJsonType(head.contentType) || (takesForm && isFormType(head.contentType));
  if (!isTaken || !(head.contentEncoding === '' || head.contentEncoding.toLowerCase() === 'identity')) fail('unsupported_media_type');
}

/** `application/json`, with no charset or UTF-8 (RFC 8259 knows no other). */
export function isJsonType(contentType: string): boolean {
  if (contentType === 'application/json') return true;
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  return type.trim() === 'application/json' && parameters.every(isHarmless);
}

function isFormType(contentType: string): boolean {
  return contentType.toLowerCase().split(';')[0]?.trim() === 'application/x-www-form-urlencoded';
}

function isHarmless(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=');
  return name.trim() !== 'charset' || /^"?utf-?8"?$/.test(value.trim());
}
