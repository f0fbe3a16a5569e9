import { isLoopback, parseUrl } from '../addresses.ts';
import { LecternError } from '../errors.ts';

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
  if (url.protocol === 'http:' && !(insecureLoopback && isLoopback(url.hostname))) {
    throw new LecternError('CONFIG_INVALID', `the base URL ${url.href} is not https`, {
      hint: isLoopback(url.hostname)
        ? 'use https, or pass --insecure-loopback for a service on this machine'
        : 'use https: the key would be sent unencrypted',
    });
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

function invalid(message: string): LecternError {
  return new LecternError('CONFIG_INVALID', message, {
    hint: 'use a URL such as https://kb.example.com/v1, and set the key in LECTERN_API_KEY',
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
