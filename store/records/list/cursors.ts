import { createHmac, timingSafeEqual } from 'node:crypto';
import { refuseParameter } from '../parameters.ts';

/** A place in an order: behind a record, or before it. */
export interface Position {
  readonly direction: 'forward' | 'backward';
  /** The record's values of the keys of the order, as Postgres reads them. */
  readonly values: readonly (string | null)[];
}

/** The same by the record's id, where its values are too long to be sent about. */
export interface Anchor {
  readonly direction: Position['direction'];
  readonly id: string;
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

  /** `list` says which collection, order and filter it is of; `id` is that of the record at which the position is. */
  write(list: string, { direction, values }: Position, id: string): string {
    const isForward = direction === 'forward' ? 1 : 0;
    const cursor = this.#signed(list, [isForward, ...values]);
    return cursor.length > cursorLengthMax ? this.#signed(list, [isForward, { id }]) : cursor;
  }

  /** Fails with `bad_query` where we did not make the cursor, or not for this list. */
  read(list: string, cursor: string): Position | Anchor {
    const bytes = /^[\w-]{1,4000}$/.test(cursor) ? Buffer.from(cursor, 'base64url') : Buffer.alloc(0);
    const content = bytes.subarray(tagBytes);
    if (bytes.length <= tagBytes || !timingSafeEqual(bytes.subarray(0, tagBytes), this.#tag(list, content))) {
      return refuseParameter('cursor', 'it is not one of this list: take nextCursor or prevCursor of an answer to the same filter, sort and search');
    }
    const [isForward, ...values] = JSON.parse(content.toString()) as [number, ...(string | null)[]] | [number, { readonly id: string }];
    const direction = isForward === 1 ? 'forward' : 'backward';
    const [first] = values;
    return typeof first === 'object' && first !== null ? { direction, id: first.id } : { direction, values: values as (string | null)[] };
  }

  #signed(list: string, parts: readonly unknown[]): string {
    const content = Buffer.from(JSON.stringify(parts));
    return Buffer.concat([this.#tag(list, content), content]).toString('base64url');
  }

  #tag(list: string, content: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(list).update('\0').update(content).digest().subarray(0, tagBytes);
  }
}
