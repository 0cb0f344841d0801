import { fail } from '../../proto/errors/svc-error.ts';

/** One segment of a path, percent-decoded; fails with `bad_request` where it is no text. */
export function pathText(segment: string): string {
  if (!needsCare.test(segment)) return segment;
  const decoded = decode(segment);
  // The parser shows bytes that are no UTF-8 as U+FFFD.
  if (decoded.includes('\0') || decoded.includes('\uFFFD')) refuse();
  return decoded;
}

/** Fails with `bad_request` where the query string, still percent-encoded, holds raw bytes that are no UTF-8. */
export function requireQueryText(query: string): void {
  if (query.includes('\uFFFD')) refuse();
}

const needsCare = /[%\0\uFFFD]/;

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    return fail('bad_request', { values: { reason } }, cause);
  }
}

function refuse(): never {
  return fail('bad_request', { values: { reason } });
}

const reason = 'The address is not percent-encoded UTF-8 text.';
