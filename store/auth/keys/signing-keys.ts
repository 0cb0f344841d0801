import { exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import type { Ids } from '../../../proto/values/ids.ts';
import type { TextRow } from '../../postgres/connection.ts';
import type { Database } from '../../postgres/database.ts';
import type { Seal } from '../../sealing/seal.ts';
import { forgetRetiredKeys, insertKey, lockInstallation, retireKeys, selectSigningKeys } from './signing-keys.sql.ts';

export const signingAlgorithm = 'EdDSA';

/** A key pair, ready to be used. */
export interface SigningKey {
  readonly id: string;
  readonly publicKey: CryptoKey;
  readonly privateKey: CryptoKey;
}

/** A key id that is not known is looked for in the database at most this often. */
const lookEveryMs = 1_000;
/** Another node may have made a new key: it is looked for this often. */
const reloadEveryMs = 60_000;

/** The cluster's keys for tokens (Ed25519, RFC 8037), kept in the database with their private halves sealed. */
export class SigningKeys {
  readonly #database: Database;
  readonly #seal: Seal;
  readonly #ids: Ids;
  #keys = new Map<string, SigningKey>();
  #current: SigningKey | undefined;
  #lookedAtMs = -Infinity;

  constructor(database: Database, seal: Seal, ids: Ids) {
    this.#database = database;
    this.#seal = seal;
    this.#ids = ids;
  }

  /** The key that signs now. */
  async current(): Promise<SigningKey> {
    if (this.#current === undefined || performance.now() - this.#lookedAtMs > reloadEveryMs) await this.#load();
    if (this.#current === undefined) await this.#make('where there is none');
    if (this.#current === undefined) throw new TypeError('there is no signing key');
    return this.#current;
  }

  /** All keys by which tokens may have been signed, the one that signs now first. */
  async all(): Promise<readonly SigningKey[]> {
    const current = await this.current();
    return [current, ...[...this.#keys.values()].filter((key) => key !== current)];
  }

  /** A new key signs from now on; tokens of the others stay good. */
  async rotate(): Promise<void> {
    await this.#make('always');
  }

  /** The key of this id; undefined where there never was one. */
  async byId(id: string): Promise<SigningKey | undefined> {
    const known = this.#keys.get(id);
    if (known !== undefined || performance.now() - this.#lookedAtMs < lookEveryMs) return known;
    await this.#load();
    return this.#keys.get(id);
  }

  async #load(): Promise<void> {
    this.#lookedAtMs = performance.now();
    const rows = await this.#database.query(selectSigningKeys, []);
    const keys = await Promise.all(rows.map(async (row) => ({ key: await this.#open(row), isDue: row[3] === 'true' })));
    this.#keys = new Map(keys.map(({ key }) => [key.id, key]));
    this.#current = keys.find(({ isDue }) => !isDue)?.key;
  }

  async #open([id, publicText, sealed]: TextRow): Promise<SigningKey> {
    const keyId = id ?? '';
    const privateText = this.#seal.open(Buffer.from(sealed ?? '', 'hex'), contextOf(keyId));
    if (privateText === undefined)
      throw new TypeError(`the signing key ${keyId} cannot be opened: it was sealed under another key or has been changed`);
    return { id: keyId, publicKey: await imported(publicText ?? ''), privateKey: await imported(privateText) };
  }

  /** Stores that start together agree on one key: each waits for the installation's row, and the second finds the first one's. */
  async #make(when: 'always' | 'where there is none'): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair(signingAlgorithm, { crv: 'Ed25519', extractable: true });
    const id = this.#ids.short();
    const sealed = this.#seal.seal(JSON.stringify(await exportJWK(privateKey)), contextOf(id));
    const publicText = JSON.stringify(await exportJWK(publicKey));
    await this.#database.transaction({ label: 'signing-keys.make', lockTimeoutMs: 5_000, statementTimeoutMs: 5_000 }, async (tx) => {
      await tx.execute(lockInstallation, []);
      await tx.execute(forgetRetiredKeys, []);
      if (when === 'always') await tx.execute(retireKeys, []);
      await tx.execute(insertKey, [id, publicText, sealed.toString('hex')]);
    });
    await this.#load();
  }
}

function contextOf(id: string): string {
  return `signing key ${id}`;
}

async function imported(text: string): Promise<CryptoKey> {
  const key = await importJWK(JSON.parse(text) as JWK, signingAlgorithm);
  if (key instanceof Uint8Array) throw new TypeError('a signing key is a secret, not a key pair');
  return key;
}
