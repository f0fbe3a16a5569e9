import { parseUrl } from '../addresses.ts';
import { LecternError } from '../errors.ts';
import { NetworkFault } from './network-fault.ts';

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Parses the configured URL of the API; the result does not end in a slash.
 * @throws CONFIG_INVALID (exit 2). The message does not contain the URL if that contains a secret.
 */
export function parseBaseUrl(text: string, insecureLoopback: boolean): URL {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw invalid(`the base URL ${JSON.stringify(text.slice(0, 200))} is not an https URL`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw invalid(`the base URL must not contain credentials, a query string or a fragment`);
  }
  if (url.protocol === 'http:' && !(insecureLoopback && loopback.test(url.hostname))) {
    throw new LecternError('CONFIG_INVALID', `the base URL ${url.href} is not https`, {
      hint: loopback.test(url.hostname)
        ? 'use https, or pass --insecure-loopback for a service on this machine'
        : 'use https: the key would be sent unencrypted',
      exitCode: 2,
    });
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

function invalid(message: string): LecternError {
  return new LecternError('CONFIG_INVALID', message, {
    hint: 'use a URL such as https://kb.example.com/v1, and set the key in LECTERN_API_KEY',
    exitCode: 2,
  });
}

/** Values of a query; `undefined` values are omitted. */
export type UrlQuery = Readonly<Record<string, string | number | boolean | undefined>>;

/** The URL of an operation. `path` begins with a slash and is already percent-encoded; the query is not. */
export function requestUrl(baseUrl: URL, path: string, query: UrlQuery = {}): URL {
  const url = new URL(baseUrl.href.replace(/\/+$/, '') + path);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

/** A URL for messages: without user, password, query and fragment, because they may contain secrets. */
export function formatUrl(url: URL): string {
  // Only web URLs have an origin.
  const start = url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin;
  return `${start}${url.pathname}`;
}

const maxRedirects = 5;

/** Statuses of redirects. */
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export function isRedirect(status: number): boolean {
  return redirectStatuses.has(status);
}

interface RedirectReply {
  readonly status: number;
  readonly location: string | undefined;
  /** URLs of this request so far, the first one first. */
  readonly chain: readonly URL[];
  readonly isRead: boolean;
  /** Whether redirects to another server are allowed. */
  readonly anyServer: boolean;
}

/**
 * Target of a redirect. By default, requests follow redirects only within one origin, so that a key never reaches another server, and a feed
 * comes from the server that was asked for. A change is repeated only for statuses that preserve its method (307, 308).
 * @throws REDIRECT_REFUSED
 */
export function followRedirect({ status, location, chain, isRead, anyServer }: RedirectReply): URL {
  const from = chain.at(-1) as URL;
  const refuse = (why: string): NetworkFault =>
    new NetworkFault('REDIRECT_REFUSED', `${formatUrl(from)} answered ${status} and ${why}`, {
      hint: anyServer
        ? 'use the final URL'
        : 'set the base URL to the final URL of the API; redirects are followed only within one https origin',
      retry: 'never',
    });
  const target = location === undefined ? null : parseUrl(location, from);
  if (target === null) throw refuse('names no valid Location');
  target.hash = '';
  // Any server of http may have moved to https.
  const isSecured = anyServer && from.protocol === 'http:' && target.protocol === 'https:';
  if (target.protocol !== from.protocol && !isSecured)
    throw refuse(`leads from ${from.protocol} to ${formatUrl(target)}`);
  if (!anyServer && target.origin !== from.origin) throw refuse(`leads to another server, ${target.origin}`);
  if (target.username !== '' || target.password !== '') throw refuse('leads to a URL with a password');
  if (chain.some((url) => url.href === target.href)) throw refuse(`forms a loop to ${formatUrl(target)}`);
  if (chain.length > maxRedirects) throw refuse(`is the last of more than ${maxRedirects} redirects`);
  if (!isRead && status !== 307 && status !== 308)
    throw refuse('does not allow a change to be sent again (307 and 308 do)');
  return target;
}
