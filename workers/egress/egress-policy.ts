import { BlockList, isIP } from 'node:net';

/**
 * Which addresses may be called. Nobody's business is ever on some: they lead to the machine's metadata service, to everybody
 * at once, or nowhere. Others are our own network, which a stranger must not reach through us unless the operator says so.
 */
export class EgressPolicy {
  readonly #refused = new BlockList();

  constructor({ allowPrivate }: EgressPolicyOptions) {
    for (const net of allowPrivate ? never : [...never, ...inner]) this.#refuse(net);
  }

  /** Whether a connection to this IPv4 or IPv6 address is refused; what is no address is. */
  refuses(address: string): boolean {
    const bare = address.replace(/%.*$/, '');
    const family = isIP(bare);
    return family === 0 || this.#refused.check(bare, family === 6 ? 'ipv6' : 'ipv4');
  }

  #refuse(net: string): void {
    const [start = '', bits = ''] = net.split('/');
    if (isIP(start) === 6) return this.#refused.addSubnet(start, Number(bits), 'ipv6');
    this.#refused.addSubnet(start, Number(bits), 'ipv4');
    for (const { prefix, prefixBits } of carriersOf(start)) this.#refused.addSubnet(prefix, prefixBits + Number(bits), 'ipv6');
  }
}

export interface EgressPolicyOptions {
  /** Whether loopback and private networks may be called. */
  readonly allowPrivate: boolean;
}

/** Refused whatever the options say. */
const never: readonly string[] = [
  '0.0.0.0/8', // this host
  '169.254.0.0/16', // link-local, with the metadata services of most clouds
  '100.100.100.200/32', // Alibaba Cloud's metadata
  '168.63.129.16/32', // Azure's host agent
  '192.0.0.0/24', // protocol assignments; Oracle Cloud's metadata is 192.0.0.192
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
  '::/128', // unspecified
  'fe80::/10', // link-local
  'ff00::/8', // multicast
  'fd00:ec2::/32', // Amazon's metadata, and its other services inside an instance
  'fd20:ce::254/128', // Google Cloud's metadata
  '100::/64', // discard
  '2001::/32', // Teredo, which hides an IPv4 address
  '64:ff9b:1::/48', // NAT64 of a local network, where only that network knows what hides behind it
];

/** Refused unless private addresses are allowed. */
const inner: readonly string[] = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10', // shared address space (RFC 6598), where some clouds put their pods
  '198.18.0.0/15', // benchmarks (RFC 2544)
  '::1/128',
  'fc00::/7', // unique local
  'fec0::/10', // site-local, deprecated and still routed
];

/**
 * The IPv6 nets through which an IPv4 address can be reached: NAT64, 6to4, translated and IPv4-compatible. The mapped form,
 * `::ffff:a.b.c.d`, BlockList knows by itself.
 */
function carriersOf(address: string): readonly { readonly prefix: string; readonly prefixBits: number }[] {
  const [a = '', b = '', c = '', d = ''] = address.split('.').map((octet) => Number(octet).toString(16).padStart(2, '0'));
  return [
    { prefix: `64:ff9b::${address}`, prefixBits: 96 },
    { prefix: `2002:${a}${b}:${c}${d}::`, prefixBits: 16 },
    { prefix: `::ffff:0:${address}`, prefixBits: 96 },
    // 0.0.0.0/8 in this form holds ::1, which is loopback and no IPv4 address.
    ...(address === '0.0.0.0' ? [] : [{ prefix: `::${address}`, prefixBits: 96 }]),
  ];
}
