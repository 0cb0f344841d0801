import { createHmac, timingSafeEqual } from 'node:crypto';
import { refuseParameter } from '../parameters.ts';

/** A place in an order: behind a record, or before it. */
export interface Position {
  readonly direction: 'forward' | 'backward';
  /** The record's values of the keys of the order, as Postgres reads them. */
  readonly values: readonly (string | null)[];
}

/** Longer ones would not fit into an address. */
const cursorLengthMax = 4_000;
const tagBytes = 16;

/** Writes and reads cursors: opaque, signed (HMAC-SHA256), and good only for the list that they were made for. */
export class Cursors {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** `list` says which collection, order and filter it is of; null where the values are too long to be sent back. */
  write(list: string, { direction, values }: Position): string | null {
    const content = Buffer.from(JSON.stringify([direction === 'forward' ? 1 : 0, ...values]));
    const cursor = Buffer.concat([this.#tag(list, content), content]).toString('base64url');
    return cursor.length > cursorLengthMax ? null : cursor;
  }

  /** Fails with `bad_query` where we did not make the cursor, or not for this list. */
  read(list: string, cursor: string): Position {
    const bytes = /^[\w-]{1,4000}$/.test(cursor) ? Buffer.from(cursor, 'base64url') : Buffer.alloc(0);
    const content = bytes.subarray(tagBytes);
    if (bytes.length <= tagBytes || !timingSafeEqual(bytes.subarray(0, tagBytes), this.#tag(list, content))) {
      return refuseParameter('cursor', 'it is not one of this list: take nextCursor or prevCursor of an answer to the same filter, sort and search');
    }
    const [forward, ...values] = JSON.parse(content.toString()) as [number, ...(string | null)[]];
    return { direction: forward === 1 ? 'forward' : 'backward', values };
  }

  #tag(list: string, content: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(list).update('\0').update(content).digest().subarray(0, tagBytes);
  }
}
