import { timingSafeEqual } from 'node:crypto';
import { fail } from '../../proto/errors/svc-error.ts';
import type { Principal } from './principal.ts';

/** Longer credentials are nobody's. */
const credentialBytesMax = 4_096;
const guest: Principal = { kind: 'guest' };
const admin: Principal = { kind: 'admin' };

/** Judges credentials: the only place that knows the admin key. */
export class Credentials {
  readonly #adminKey: Buffer;
  readonly #adminKeyBytes: number;
  readonly #presented = Buffer.alloc(credentialBytesMax);

  constructor(adminKey: string) {
    this.#adminKey = Buffer.alloc(credentialBytesMax);
    this.#adminKeyBytes = this.#adminKey.write(adminKey);
  }

  /** Who presents `credential`, empty for a guest; fails with `invalid_credential`. */
  principalOf(credential: string): Principal {
    if (credential === '') return guest;
    return this.#isAdminKey(credential) ? admin : fail('invalid_credential');
  }

  /** Fails unless `credential` is the admin key: 401 without one, 401 with a wrong one. */
  requireAdmin(credential: string): void {
    if (this.principalOf(credential).kind !== 'admin') fail('unauthorized');
  }

  /** Compares buffers of one fixed size, so that neither content nor length shows in the time it takes. */
  #isAdminKey(credential: string): boolean {
    this.#presented.fill(0);
    const bytes = this.#presented.write(credential);
    const isEqual = timingSafeEqual(this.#presented, this.#adminKey);
    return isEqual && bytes === this.#adminKeyBytes && Buffer.byteLength(credential) === bytes;
  }
}
