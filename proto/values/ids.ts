import { randomBytes, randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import { systemClock } from './time.ts';

/** Where ids come from; a test gives its own. */
export interface Ids {
  /** A record id: UUIDv7 (RFC 9562), so that ids made later sort later. */
  record(): string;
  /** A short random name of 12 characters [a-z0-9] for collections, fields and indexes, safe inside an SQL identifier. */
  short(): string;
  /** A request id: 16 random bytes, hexadecimal. */
  request(): string;
  /** Random bytes for keys and nonces. */
  bytes(count: number): Buffer;
}

/** What a client may give as a record id (CONTRACT section 3). */
export const recordIdPattern = /^[A-Za-z0-9_-]{1,64}$/;

const shortLength = 12;
const shortAlphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Random bytes are drawn by the page: one draw costs a few microseconds however short it is, and was a seventh of the store's
 * work for a create. The sequence rises within a millisecond (RFC 9562, 6.2, method 1), so that a process' ids only ascend.
 */
class RecordIds {
  readonly #random = Buffer.alloc(4096);
  #at = this.#random.length;
  #lastMs = 0;
  #sequence = 0;

  next(): string {
    const random = this.#take16();
    const now = systemClock.now();
    if (now > this.#lastMs) {
      this.#lastMs = now;
      this.#sequence = random.readUInt32BE(6) & 0x7fff_ffff;
    } else {
      this.#sequence += 1;
    }
    return v7({ random, msecs: this.#lastMs, seq: this.#sequence });
  }

  /** Bytes that nobody gets again. */
  #take16(): Buffer {
    if (this.#at === this.#random.length) {
      randomFillSync(this.#random);
      this.#at = 0;
    }
    this.#at += 16;
    return this.#random.subarray(this.#at - 16, this.#at);
  }
}

const recordIds = new RecordIds();

/** The one place that draws random ids. */
export const randomIds: Ids = {
  record: () => recordIds.next(),
  short: () => shortId(),
  request: () => randomBytes(16).toString('hex'),
  bytes: (count) => randomBytes(count),
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
