import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import { test } from 'node:test';
import { addressText, clientAddress } from '../../../gateway/http/client-address.ts';

const trusted = new BlockList();
trusted.addSubnet('10.0.0.0', 8, 'ipv4');
trusted.addAddress('::1', 'ipv6');

test('a stranger cannot say that he is somebody else', () => {
  assert.equal(clientAddress('203.0.113.9', '198.51.100.1', trusted), '203.0.113.9');
});

test('behind trusted proxies the right-most untrusted entry counts', () => {
  assert.equal(clientAddress('10.0.0.1', '1.1.1.1, 203.0.113.9, 10.0.0.2', trusted), '203.0.113.9');
  assert.equal(clientAddress('::1', '203.0.113.9', trusted), '203.0.113.9');
});

test('without a header the peer is the client', () => {
  assert.equal(clientAddress('10.0.0.1', '', trusted), '10.0.0.1');
});

test('a chain of proxies alone ends with the furthest of them', () => {
  assert.equal(clientAddress('10.0.0.1', '10.0.0.3, 10.0.0.2', trusted), '10.0.0.3');
});

test('nonsense in the header hides nobody: the last address known for sure stands', () => {
  assert.equal(clientAddress('10.0.0.1', '203.0.113.9, unknown, 10.0.0.2', trusted), '10.0.0.2');
});

test('an address of the wire is written as people write it', () => {
  assert.equal(addressText(Uint8Array.of(127, 0, 0, 1)), '127.0.0.1');
  assert.equal(addressText(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 1, 2, 3)), '10.1.2.3');
  assert.equal(addressText(Uint8Array.of(0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)), '2001:db8:0:0:0:0:0:1');
});
