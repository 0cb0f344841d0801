import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { RpcTls } from '../../../proto/rpc/identity.ts';

/** A certificate authority for a test; it signs Ed25519 certificates for `localhost`. */
export class TestAuthority {
  readonly #name: string;
  readonly #keys = generateKeyPairSync('ed25519');
  readonly certificate: Buffer;

  constructor(name: string) {
    this.#name = name;
    this.certificate = pem(
      'CERTIFICATE',
      certificate({ subject: name, issuer: name, key: this.#keys.publicKey, signedWith: this.#keys.privateKey, extensions: authorityExtensions }),
    );
  }

  /** What a member of the cluster holds. */
  member(): RpcTls {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const signed = certificate({
      subject: 'localhost',
      issuer: this.#name,
      key: publicKey,
      signedWith: this.#keys.privateKey,
      extensions: memberExtensions,
    });
    return {
      ca: this.certificate,
      certificate: pem('CERTIFICATE', signed),
      key: Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' }) as string),
    };
  }
}

interface CertificateInput {
  readonly subject: string;
  readonly issuer: string;
  readonly key: KeyObject;
  readonly signedWith: KeyObject;
  readonly extensions: Buffer;
}

/** An X.509 certificate (RFC 5280), valid from 2020 to 2120. */
function certificate({ subject, issuer, key, signedWith, extensions }: CertificateInput): Buffer {
  const content = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ed25519,
    nameOf(issuer),
    der(0x30, der(0x18, Buffer.from('20200101000000Z')), der(0x18, Buffer.from('21200101000000Z'))),
    nameOf(subject),
    key.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, extensions)),
  );
  return der(0x30, content, ed25519, der(0x03, Buffer.from([0]), sign(null, content, signedWith)));
}

const ed25519 = Buffer.from('300506032b6570', 'hex');
const commonName = Buffer.from('0603550403', 'hex');
const isTrue = Buffer.from('0101ff', 'hex');
/** basicConstraints, critical: an authority. */
const authorityExtensions = der(0x30, Buffer.from('0603551d13', 'hex'), isTrue, der(0x04, der(0x30, isTrue)));
/** subjectAltName: DNS:localhost, IP:127.0.0.1. */
const memberExtensions = der(
  0x30,
  Buffer.from('0603551d11', 'hex'),
  der(0x04, der(0x30, der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])))),
);

function nameOf(text: string): Buffer {
  return der(0x30, der(0x31, der(0x30, commonName, der(0x0c, Buffer.from(text)))));
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...sizeOf(content)]), content]);
}

function sizeOf({ length }: Buffer): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

function pem(label: string, content: Buffer): Buffer {
  return Buffer.from(`-----BEGIN ${label}-----\n${content.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`);
}
