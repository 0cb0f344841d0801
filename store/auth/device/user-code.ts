import { createHash } from 'node:crypto';
import type { Ids } from '../../../proto/values/ids.ts';

/** No vowels, so that no words come about, and nothing that is taken for something else (RFC 8628, 6.1). */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;

/** Two groups of four characters, joined by a hyphen. */
export function newUserCode(ids: Pick<Ids, 'bytes'>): string {
  let code = '';
  while (code.length < length) {
    for (const byte of ids.bytes(length * 2)) {
      // 240 is the largest multiple of 20 in a byte.
      if (byte < 240 && code.length < length) code += alphabet[byte % alphabet.length];
    }
  }
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** By which a code is found, however it was typed. */
export function userCodeDigest(code: string): string {
  return codeDigest(code.toUpperCase().replaceAll(/[^A-Z]/g, ''));
}

export function codeDigest(code: string): string {
  return createHash('sha256').update(code).digest('base64url');
}
