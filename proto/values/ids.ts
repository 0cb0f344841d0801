import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';

/** Where ids come from; a test gives its own. */
export interface Ids {
  /** A record id: UUIDv7 (RFC 9562), so that ids made later sort later. */
  record(): string;
  /** A short random name of 12 characters [a-z0-9] for collections, fields and indexes, safe inside an SQL identifier. */
  short(): string;
  /** A request id: 16 random bytes, hexadecimal. */
  request(): string;
}

/** What a client may give as a record id (CONTRACT section 3). */
export const recordIdPattern = /^[A-Za-z0-9_-]{1,64}$/;

const shortLength = 12;
const shortAlphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** The one place that draws random ids. */
export const randomIds: Ids = {
  record: () => v7(),
  short: () => shortId(),
  request: () => randomBytes(16).toString('hex'),
};

function shortId(): string {
  let id = '';
  while (id.length < shortLength) {
    for (const byte of randomBytes(shortLength * 2)) {
      // 252 is the largest multiple of 36 in a byte: above it the draw is repeated, so that no character is likelier.
      if (byte < 252 && id.length < shortLength) id += shortAlphabet[byte % shortAlphabet.length];
    }
  }
  return id;
}
