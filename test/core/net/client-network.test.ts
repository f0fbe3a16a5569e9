import { expect, it } from 'vitest';
import { clientNetwork } from '../../../src/core/net/client-network.ts';
import { fc } from '../../support/properties.ts';

const socketAddress = '10.0.0.1';

it.each([
  ['', 1, '10.0.0.1'],
  ['192.0.2.1', 0, '10.0.0.1'],
  ['192.0.2.1', 1, '192.0.2.1'],
  ['192.0.2.1, 198.51.100.7', 1, '198.51.100.7'],
  ['192.0.2.1,198.51.100.7', 2, '192.0.2.1'],
  // Fewer proxies than promised: nobody vouches for an entry.
  ['192.0.2.1', 2, '10.0.0.1'],
  ['192.0.2.1:4711', 1, '192.0.2.1'],
  ['[2001:db8:1:2::5]:4711', 1, '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::5]', 1, '2001:db8:1:2::/64'],
  ['192.0.2.1, ', 1, '10.0.0.1'],
  ['unknown', 1, '10.0.0.1'],
  ['_hidden', 1, '10.0.0.1'],
  ['192.0.2.256', 1, '10.0.0.1'],
  ['192.0.2.1:x', 1, '10.0.0.1'],
  ['::1%', 1, '0:0:0:0::/64'],
])('%j behind %i proxies is sent by %s', (forwardedFor, trustProxy, network) => {
  expect(clientNetwork({ socketAddress, forwardedFor }, trustProxy)).toBe(network);
});

it.each([
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['2001:0DB8:0:0:1:2:3:4', '2001:db8:0:0::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['2001:db8:0:1:ffff::', '2001:db8:0:1::/64'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
  ['::', '0:0:0:0::/64'],
  ['1::', '1:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('a connection from %j counts for %s', (address, network) => {
  expect(clientNetwork({ socketAddress: address, forwardedFor: '' }, 0)).toBe(network);
});

it('all addresses of a /64 are one network, and those of another are not', { tags: 'property' }, () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  const half = fc.tuple(group, group, group, group);
  const network = (groups: readonly number[]) =>
    clientNetwork({ socketAddress, forwardedFor: groups.map((number) => number.toString(16)).join(':') }, 1);
  fc.assert(
    fc.property(half, half, half, (one, two, host) => {
      fc.pre(one.some((number) => number > 0) && two.some((number) => number > 0));
      expect(network([...one, ...host])).toBe(network([...one, 0, 0, 0, 1]));
      expect(network([...one, ...host]) === network([...two, ...host])).toBe(String(one) === String(two));
    }),
  );
});

it('any header is read without an error', { tags: 'property' }, () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 0, max: 5 }), (forwardedFor, trustProxy) => {
      expect(clientNetwork({ socketAddress, forwardedFor }, trustProxy)).not.toBe('');
    }),
  );
});
