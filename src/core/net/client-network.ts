import { isIP, isIPv6, SocketAddress } from 'node:net';

/** The addresses that a request names. */
interface Sender {
  /** Peer of the connection. */
  readonly socketAddress: string;
  /** `X-Forwarded-For`: each proxy appends its peer, so that only as many entries from the right are true as there are proxies. */
  readonly forwardedFor: string;
}

/**
 * The network that sent a request: an IPv4 address, or the first half of an IPv6 address, because a connection has all addresses of such
 * a /64 (RFC 6177). Without an address at its place in the header, that of the connection counts.
 * @param trustProxy number of proxies in front; 0 ignores the header
 * @example clientNetwork({ socketAddress: '10.0.0.1', forwardedFor: '192.0.2.1, 198.51.100.7' }, 1) // 198.51.100.7
 */
export function clientNetwork({ socketAddress, forwardedFor }: Sender, trustProxy: number): string {
  const entry = trustProxy === 0 ? undefined : forwardedFor.split(',').at(-trustProxy);
  return networkOf(withoutPort(entry?.trim() ?? '')) ?? networkOf(socketAddress) ?? socketAddress;
}

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|(\d+\.[\d.]+))(?::\d+)?$/.exec(entry) ?? [];
  return bracketed ?? plain ?? entry;
}

/** `null` if the text is not an IP address. */
function networkOf(text: string): string | null {
  const [address = ''] = text.split('%');
  if (isIP(address) === 0) return null;
  if (!isIPv6(address)) return address;
  // Node writes the form of RFC 5952, with the longest run of zeros left out.
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address;
  const mapped = /^::ffff:([\d.]+)$/.exec(canonical)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = [], tail = []] = canonical.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = canonical.includes('::') ? 8 - head.length - tail.length : 0;
  return `${[...head, ...Array.from({ length: zeros }, () => '0'), ...tail].slice(0, 4).join(':')}::/64`;
}
