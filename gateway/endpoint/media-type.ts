import { fail } from '../../proto/errors/svc-error.ts';
import type { RequestHead } from '../http/request-head.ts';

/** Fails with `unsupported_media_type` where a body is sent that does not call itself JSON in UTF-8; no body is nothing to refuse. */
export function requireJsonBody(head: RequestHead): void {
  if (!head.hasBody) return;
  if (!isJsonType(head.contentType) || !(head.contentEncoding === '' || head.contentEncoding.toLowerCase() === 'identity'))
    fail('unsupported_media_type');
}

/** `application/json`, with no charset or UTF-8 (RFC 8259 knows no other). */
export function isJsonType(contentType: string): boolean {
  if (contentType === 'application/json') return true;
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  return type.trim() === 'application/json' && parameters.every(isHarmless);
}

function isHarmless(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=');
  return name.trim() !== 'charset' || /^"?utf-?8"?$/.test(value.trim());
}
