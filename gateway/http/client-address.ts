import { isIP, type BlockList } from 'node:net';

/**
 * Who asks (CONTRACT section 1): the socket's peer, unless it is a trusted proxy; then the right-most entry of
 * `X-Forwarded-For` that is none. What stands further left was written by the client and proves nothing.
 */
export function clientAddress(peer: string, forwardedFor: string, trusted: BlockList): string {
  if (forwardedFor === '' || !isTrusted(peer, trusted)) return peer;
  let nearest = peer;
  for (const entry of forwardedFor.split(',').slice(-hopsMax).toReversed()) {
    const address = entry.trim();
    // A proxy that writes nonsense hides whoever is behind it; the last address known for sure stands.
    if (isIP(address) === 0) return nearest;
    nearest = address;
    if (!isTrusted(address, trusted)) return address;
  }
  return nearest;
}

/** The text of an address of 4 or 16 bytes; an IPv4 address inside IPv6 is shown as what it is. */
export function addressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.');
  const isMapped = bytes.length === 16 && bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
  if (isMapped) return bytes.subarray(12).join('.');
  const groups: string[] = [];
  for (let at = 0; at + 1 < bytes.length; at += 2) groups.push((((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16));
  return groups.join(':');
}

/** More proxies than this stand in no row. */
const hopsMax = 16;

function isTrusted(address: string, trusted: BlockList): boolean {
  const family = isIP(address);
  return family !== 0 && trusted.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
