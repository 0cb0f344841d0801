import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto';
import type { Ids } from '../../proto/values/ids.ts';

/** Seals what must not be readable in the database: AES-256-GCM under a key derived from SVC_ENCRYPTION_KEY (NIST SP 800-38D; HKDF, RFC 5869). */
export class Seal {
  readonly #master: string;
  readonly #key: Buffer;
  readonly #keyId: Buffer;
  readonly #ids: Pick<Ids, 'bytes'>;

  constructor(encryptionKey: string, ids: Pick<Ids, 'bytes'>) {
    this.#master = encryptionKey;
    this.#key = this.derive('sealing', keyBytes);
    this.#keyId = createHash('sha256').update(this.derive('key id', keyBytes)).digest().subarray(0, keyIdBytes);
    this.#ids = ids;
  }

  /** A key of its own for one purpose; the same on every node. */
  derive(purpose: string, bytes: number): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#master, '', `svc ${purpose}`, bytes));
  }

  /** `context` says what it is of, so that one sealed value cannot be put in the place of another. */
  seal(text: string, context: string): Buffer {
    const nonce = this.#ids.bytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([format, this.#keyId, nonce, sealed, cipher.getAuthTag()]);
  }

  /** The text, or undefined where it was sealed under another key or for another context, or has been changed. */
  open(sealed: Buffer, context: string): string | undefined {
    const head = format.length + keyIdBytes;
    if (sealed.length < head + nonceBytes + tagBytes || !sealed.subarray(0, head).equals(Buffer.concat([format, this.#keyId]))) return undefined;
    const nonce = sealed.subarray(head, head + nonceBytes);
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(context));
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    try {
      return decipher.update(sealed.subarray(head + nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return undefined;
    }
  }
}

const format = Buffer.of(1);
const keyBytes = 32;
const keyIdBytes = 4;
const nonceBytes = 12;
const tagBytes = 16;
