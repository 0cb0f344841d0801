import { createHmac } from 'node:crypto';

/** Tells bodies apart without keeping them. Keyed, because a body may hold a password, and a plain hash of it could be guessed at. */
export class BodyDigest {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** HMAC-SHA256, hexadecimal; of the body, and of what else the request depends on. */
  of(body: Uint8Array, rest = ''): string {
    return createHmac('sha256', this.#key).update(body).update(rest).digest('hex');
  }
}
