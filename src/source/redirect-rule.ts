import { formatUrl } from './base-url.ts';
import { NetworkFault } from './network-fault.ts';

const longestChain = 5;

/** Statuses that send a client elsewhere. */
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export function isRedirect(status: number): boolean {
  return redirectStatuses.has(status);
}

export interface Redirect {
  readonly status: number;
  readonly location: string | undefined;
  /** Addresses of this request so far, the first one first. */
  readonly chain: readonly URL[];
  readonly isRead: boolean;
  /** No key is sent, so another server may answer. */
  readonly anyServer: boolean;
}

/**
 * Where a redirect leads. With a key it is followed only within one origin, so that the key never reaches another server
 * and never travels unencrypted; a change is only sent on where the status says that it keeps its method (307, 308).
 * @throws REDIRECT_REFUSED
 */
export function followRedirect({ status, location, chain, isRead, anyServer }: Redirect): URL {
  const from = chain.at(-1) as URL;
  const refuse = (why: string): NetworkFault =>
    new NetworkFault('REDIRECT_REFUSED', `${formatUrl(from)} answered ${status} and ${why}`, {
      hint: 'set the base URL to the final URL of the API; redirects are followed only within one https origin',
      retry: 'never',
    });
  if (location === undefined || !URL.canParse(location, from.href)) throw refuse('names no address to go to');
  const target = new URL(location, from);
  target.hash = '';
  if (target.protocol !== from.protocol) throw refuse(`leads from ${from.protocol} to ${formatUrl(target)}`);
  if (!anyServer && target.origin !== from.origin) throw refuse(`leads to another server, ${target.origin}`);
  if (target.username !== '' || target.password !== '') throw refuse('leads to an address with a password');
  if (chain.some((url) => url.href === target.href)) throw refuse(`forms a loop to ${formatUrl(target)}`);
  if (chain.length > longestChain) throw refuse(`is the last of more than ${longestChain} redirects`);
  if (!isRead && status !== 307 && status !== 308)
    throw refuse('does not say how a change is to be repeated');
  return target;
}
