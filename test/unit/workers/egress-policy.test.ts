import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EgressPolicy } from '../../../workers/egress/egress-policy.ts';

const strict = new EgressPolicy({ allowPrivate: false });
const open = new EgressPolicy({ allowPrivate: true });

const neverCalled: Readonly<Record<string, readonly string[]>> = {
  'this host and unspecified': ['0.0.0.0', '0.1.2.3', '::', '0:0:0:0:0:0:0:0'],
  'link-local': ['169.254.0.1', '169.254.255.255', 'fe80::1', 'febf::1', 'fe80::1%eth0'],
  'metadata of clouds': [
    '169.254.169.254',
    '169.254.170.2',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd20:ce::254',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
  ],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  'broadcast and reserved': ['255.255.255.255', '240.0.0.1'],
  'discard, Teredo and local NAT64': ['100::1', '2001::1', '64:ff9b:1::a00:1'],
  'refused IPv4 in IPv6, mapped': ['::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '0:0:0:0:0:ffff:e000:1'],
  'refused IPv4 in IPv6, translated': ['64:ff9b::169.254.169.254', '64:ff9b::a9fe:a9fe', '::ffff:0:a9fe:a9fe'],
  'refused IPv4 in IPv6, 6to4': ['2002:a9fe:a9fe::1', '2002:e000:0001::', '2002:6464:64c8::5'],
  'refused IPv4 in IPv6, compatible': ['::169.254.169.254', '::224.0.0.1'],
  'no address at all': ['', 'localhost', '127.1', '0x7f000001', '1.2.3.4.5', '::g'],
};

const inner: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '198.18.0.1', 'fc00::1', 'fdff::1', 'fec0::1'],
  'mapped IPv4': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:c0a8:101'],
  'translated IPv4': ['64:ff9b::10.0.0.1', '64:ff9b::7f00:1', '::ffff:0:192.168.1.1'],
  '6to4': ['2002:7f00:1::1', '2002:0a00:0001::', '2002:c0a8:101::1'],
  'compatible IPv4': ['::127.0.0.1', '::10.0.0.1'],
};

const outer = ['1.1.1.1', '9.255.255.255', '11.0.0.0', '172.15.255.255', '172.32.0.0', '192.167.255.255', '100.63.255.255', '100.128.0.0'];
const outerSix = ['2606:4700::1111', '2001:4860:4860::8888', '::ffff:1.1.1.1', '64:ff9b::1.1.1.1', '2002:101:101::1', 'fbff::1'];

for (const [kind, addresses] of Object.entries(neverCalled)) {
  test(`${kind}: refused whatever the options say`, () => {
    assert.deepEqual(passing(strict, addresses), []);
    assert.deepEqual(passing(open, addresses), []);
  });
}

for (const [kind, addresses] of Object.entries(inner)) {
  test(`${kind}: refused unless private addresses are allowed`, () => {
    assert.deepEqual(passing(strict, addresses), []);
    assert.deepEqual(passing(open, addresses), addresses);
  });
}

test('the rest of the internet may be called, up to the neighbours of what may not', () => {
  assert.deepEqual(passing(strict, [...outer, ...outerSix]), [...outer, ...outerSix]);
});

function passing(policy: EgressPolicy, addresses: readonly string[]): string[] {
  return addresses.filter((address) => !policy.refuses(address));
}
