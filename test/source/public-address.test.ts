import { describe, expect, it } from 'vitest';
import { addressScope } from '../../src/core/net/public-address.ts';

describe('the scope of an address', () => {
  it.each([
    ['93.184.216.34', 'public'],
    ['2606:2800:220:1::1', 'public'],
    ['::ffff:93.184.216.34', 'public'],
    ['127.0.0.1', 'loopback'],
    ['127.8.9.10', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['10.1.2.3', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.0.1', 'private'],
    ['100.64.0.1', 'private'],
    ['::ffff:10.0.0.1', 'private'],
    ['fd12:3456::1', 'private'],
    ['169.254.169.254', 'special'],
    ['::ffff:169.254.169.254', 'special'],
    ['100.100.100.200', 'special'],
    ['fd00:ec2::254', 'special'],
    ['0.0.0.0', 'special'],
    ['::', 'special'],
    ['fe80::1', 'special'],
    ['64:ff9b::7f00:1', 'special'],
    ['2002:7f00:1::', 'special'],
    ['2001:0:4136:e378::1', 'special'],
    ['::127.0.0.1', 'special'],
    ['224.0.0.1', 'special'],
    ['255.255.255.255', 'special'],
    ['kb.example.com', 'special'],
  ])('of %s is %s', (address, scope) => {
    expect(addressScope(address)).toBe(scope);
  });
});
