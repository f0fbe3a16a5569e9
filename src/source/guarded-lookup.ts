import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { NetworkFault } from './network-fault.ts';
import { type AddressScope, addressScope } from './public-address.ts';

/** Which hosts may lie elsewhere than on the internet. */
export interface AddressRule {
  /** Hosts (`name` or `name:port`) that may lie in a private network or on this machine. */
  readonly privateHosts: readonly string[];
  /** Whether every host may be this machine. */
  readonly allowLoopback: boolean;
}

/**
 * A look-up for sockets that gives only addresses the rule allows. The socket connects to exactly what was checked, so
 * a name cannot change its address between check and use.
 * @throws (through the callback) ADDRESS_REFUSED where no allowed address is left
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

/** Sockets do not look up what is an address already: it is checked here. Throws ADDRESS_REFUSED. */
export function checkLiteralAddress(url: URL, mayReach: (scope: AddressScope) => boolean): void {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !mayReach(addressScope(host))) throw refused(host);
}

/**
 * Checks the name of a host before a proxy is asked for it, as far as this machine knows the name; what only the proxy
 * can look up is left to the proxy. Throws ADDRESS_REFUSED.
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
  return new NetworkFault('ADDRESS_REFUSED', `${host} is not a public internet address`, {
    hint: 'name the host in media.privateHosts if files of a private network may be published',
    retry: 'never',
  });
}
