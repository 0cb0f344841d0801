import { timingSafeEqual } from 'node:crypto';
import { fail } from '../../proto/errors/svc-error.ts';
import { isPrivileged, type Principal, type SignedIn } from './principal.ts';

/** Longer credentials are nobody's. */
const credentialBytesMax = 4_096;
const guest: Principal = { kind: 'guest' };
const admin: Principal = { kind: 'admin' };

/** Who knows tokens and their sessions. */
export interface TokenJudge {
  /** Fails with `invalid_credential`. */
  principalOf(token: string): Promise<SignedIn>;
}

/** Judges credentials: the only place that knows the admin key. */
export class Credentials {
  readonly #tokens: TokenJudge;
  readonly #adminKey: Buffer;
  readonly #adminKeyBytes: number;
  readonly #presented = Buffer.alloc(credentialBytesMax);

  constructor(adminKey: string, tokens: TokenJudge) {
    this.#tokens = tokens;
    this.#adminKey = Buffer.alloc(credentialBytesMax);
    this.#adminKeyBytes = this.#adminKey.write(adminKey);
  }

  /** Who presents `credential`, empty for a guest: known at once but for tokens, whose session is asked for. Fails with `invalid_credential`. */
  principalOf(credential: string): Principal | Promise<SignedIn> {
    if (credential === '') return guest;
    if (this.#isAdminKey(credential)) return admin;
    return tokenPattern.test(credential) ? this.#tokens.principalOf(credential) : fail('invalid_credential');
  }

  /** Whether `credential` is the admin key. */
  isAdmin(credential: string): boolean {
    return credential !== '' && this.#isAdminKey(credential);
  }

  /** Who presents `credential`, which must be a root user's or the admin key: 401 without one or with a bad one, 403 with another's. */
  async requirePrivileged(credential: string): Promise<Principal> {
    const principal = await this.principalOf(credential);
    if (isPrivileged(principal)) return principal;
    return fail(principal.kind === 'guest' ? 'unauthorized' : 'forbidden');
  }

  /** Compares buffers of one fixed size, so that neither content nor length shows in the time it takes. */
  #isAdminKey(credential: string): boolean {
    this.#presented.fill(0);
    const bytes = this.#presented.write(credential);
    const isEqual = timingSafeEqual(this.#presented, this.#adminKey);
    return isEqual && bytes === this.#adminKeyBytes && Buffer.byteLength(credential) === bytes;
  }
}

/** Three parts in base64url (RFC 7515, 7.1). */
const tokenPattern = /^[\w-]{1,1000}\.[\w-]{1,3000}\.[\w-]{1,200}$/;
