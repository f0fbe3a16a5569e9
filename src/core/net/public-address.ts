import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { NetworkFault } from './network-fault.ts';

/** Hosts that may be in a private network. */
export interface AddressRule {
  /** Hosts (`name` or `name:port`) that may be in a private network or on localhost. */
  readonly privateHosts: readonly string[];
  /** Whether every host may be localhost. */
  readonly allowLoopback: boolean;
}

/**
 * A look-up function for sockets that returns only addresses the rule allows. The socket connects to the checked address, so a name cannot
 * change its address between check and use.
 * @throws (through the callback) FILE_REFUSED if no allowed address is left
 */
export function createGuardedLookup(
  mayReach: (scope: AddressScope) => boolean,
  lookup: typeof systemLookup = systemLookup,
): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error !== null) return callback(error, '', 0);
      const allowed = addresses.filter(({ address }) => mayReach(addressScope(address)));
      const [first] = allowed;
      if (first === undefined) return callback(refused(hostname), '', 0);
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}

/** Checks a literal IP address, because sockets do not look these up. Throws FILE_REFUSED. */
export function checkLiteralAddress(url: URL, mayReach: (scope: AddressScope) => boolean): void {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !mayReach(addressScope(host))) throw refused(host);
}

/**
 * Checks a host name before a proxy is asked for it. If this machine cannot resolve the name, the check is left to the proxy. Throws
 * FILE_REFUSED.
 */
export async function checkProxiedName(
  { hostname }: URL,
  mayReach: (scope: AddressScope) => boolean,
  lookup: typeof systemLookup = systemLookup,
): Promise<void> {
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return;
  const fault = await new Promise<Error | null>((resolve) => {
    createGuardedLookup(mayReach, lookup)(hostname, { all: true }, (error) => resolve(error));
  });
  if (fault instanceof NetworkFault) throw fault;
}

/** Whether a request to this host may reach an address of this scope. */
export function scopeRule(url: URL, { privateHosts, allowLoopback }: AddressRule) {
  const isPrivateHost = privateHosts.includes(url.host) || privateHosts.includes(url.hostname);
  return (scope: AddressScope): boolean =>
    scope === 'public' ||
    (scope === 'loopback' && (allowLoopback || isPrivateHost)) ||
    (scope === 'private' && isPrivateHost);
}

function refused(host: string): NetworkFault {
  return new NetworkFault('FILE_REFUSED', `${host} is not a public internet address`, {
    hint: 'add the host to media.privateHosts if files of a private network may be published',
    retry: 'never',
  });
}

/** Scope of an address. */
type AddressScope =
  | 'public'
  /** Localhost. */
  | 'loopback'
  /** A private network (RFC 1918, RFC 4193, RFC 6598). */
  | 'private'
  /** All other addresses that are not hosts on the internet: link-local (cloud metadata), multicast, reserved, tunnels. */
  | 'special';

type Subnet = readonly [network: string, prefix: number];

const loopback = blockList([
  ['127.0.0.0', 8],
  ['::1', 128],
]);

const privateNetworks = blockList([
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['fc00::', 7],
]);

/** Cloud metadata services inside a private network. */
const metadata = blockList([
  ['100.100.100.200', 32],
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
]);

/** IANA special-purpose registries of IPv4 (RFC 6890), without loopback and private networks. */
const specialIpv4 = blockList([
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]);

/** Global unicast (RFC 4291), the only part of IPv6 with public hosts. */
const globalIpv6 = blockList([['2000::', 3]]);

/** Exceptions: protocol assignments (including Teredo), documentation, and 6to4, which contains an IPv4 address. */
const specialIpv6 = blockList([
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

/** Scope of an IP address; `special` for an invalid one. */
export function addressScope(address: string): AddressScope {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  // BlockList compares IPv4 in IPv6 (`::ffff:127.0.0.1`) with the rules for IPv4.
  const lies = (list: BlockList): boolean => list.check(address, family);
  if (isIP(address) === 0 || lies(metadata)) return 'special';
  if (lies(loopback)) return 'loopback';
  if (lies(privateNetworks)) return 'private';
  const mapped = family === 'ipv6' && /^::ffff:/i.test(address);
  if (family === 'ipv4' || mapped) return lies(specialIpv4) ? 'special' : 'public';
  return lies(globalIpv6) && !lies(specialIpv6) ? 'public' : 'special';
}

function blockList(subnets: readonly Subnet[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) {
    list.addSubnet(network, prefix, isIP(network) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}
