import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Ids } from '../../../proto/values/ids.ts';
import type { RecordShape } from '../../records/shape/shape.ts';

const codes = 1_000_000;
/** The largest multiple of a million below 2^32: above it a draw is repeated, so that no code is likelier. */
const fairBelow = 4_294_000_000;

/** Six digits. */
export function newCode(ids: Pick<Ids, 'bytes'>): string {
  for (;;) {
    const drawn = ids.bytes(4).readUInt32BE();
    if (drawn < fairBelow) return String(drawn % codes).padStart(6, '0');
  }
}

/** Under which an address keeps its one active code. */
export function codeKey({ collection }: RecordShape, email: string): string {
  return `${collection.id}/${email.toLowerCase()}`;
}

/** What is kept of a code: a plain digest of six digits could be guessed. */
export class CodeDigest {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  of(key: string, code: string): string {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([key, code]))
      .digest('base64url');
  }

  /** Whether `digest` is that of the code, in constant time. */
  isOf(digest: unknown, key: string, code: string): boolean {
    const [kept, given] = [Buffer.from(String(digest)), Buffer.from(this.of(key, code))];
    return kept.length === given.length && timingSafeEqual(kept, given);
  }
}
