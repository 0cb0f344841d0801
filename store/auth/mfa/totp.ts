import { createHmac, timingSafeEqual } from 'node:crypto';

const stepMs = 30_000;
const digits = 6;
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The step of 30 seconds that a time lies in (RFC 6238, 4.2). */
export function stepAt(timeMs: number): number {
  return Math.floor(timeMs / stepMs);
}

/** The code of a step (RFC 4226, 5.3; SHA-1, six digits: what all apps know). */
export function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const value = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits;
  return String(value).padStart(digits, '0');
}

/** The step that a code is of: the present one or one beside it, because clocks differ; undefined where it is of none. */
export function stepOfCode(secret: Buffer, code: string, timeMs: number): number | undefined {
  const given = Buffer.from(code.padEnd(digits).slice(0, digits + 1));
  const now = stepAt(timeMs);
  return [now - 1, now, now + 1].find((step) => {
    const right = Buffer.from(totpCode(secret, step));
    return right.length === given.length && timingSafeEqual(right, given);
  });
}

/** RFC 4648, 6, without padding: as apps take secrets. */
export function base32Text(bytes: Buffer): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += base32[(value >>> (bits - 5)) & 31] ?? '';
  }
  return bits === 0 ? text : text + (base32[(value << (5 - bits)) & 31] ?? '');
}

/** What apps read from a picture (Key URI Format). */
export function totpUri(input: { readonly secret: string; readonly issuer: string; readonly account: string }): string {
  const label = `${encodeURIComponent(input.issuer)}:${encodeURIComponent(input.account)}`;
  return `otpauth://totp/${label}?secret=${input.secret}&issuer=${encodeURIComponent(input.issuer)}`;
}
