import { LecternError } from '../foundation/errors.ts';

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Reads the configured address of the API; the result ends in no slash.
 * @throws BASE_URL_INVALID, INSECURE_URL (both exit 2). The address itself is not repeated where it holds a secret.
 */
export function parseBaseUrl(text: string, insecureLoopback: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw invalid(`the base URL ${JSON.stringify(text.slice(0, 200))} is not an https address`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw invalid(`the base URL must not contain credentials, a query string or a fragment`);
  }
  if (url.protocol === 'http:' && !(insecureLoopback && loopback.test(url.hostname))) {
    throw new LecternError('INSECURE_URL', `the base URL ${url.href} is not https`, {
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
  return new LecternError('BASE_URL_INVALID', message, {
    hint: 'use a URL such as https://kb.example.com/v1, and set the key in LECTERN_API_KEY',
    exitCode: 2,
  });
}

/** Values of a query; `undefined` values are omitted. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** The address of an operation. `path` begins with a slash and is already percent-encoded; the query is not. */
export function requestUrl(baseUrl: URL, path: string, query: Query = {}): URL {
  const url = new URL(baseUrl.href.replace(/\/+$/, '') + path);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

/** An address for messages: without user, password, query and fragment, since any of them may hold a secret. */
export function formatUrl(url: URL): string {
  // Only web addresses have an origin of their own.
  const start = url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin;
  return `${start}${url.pathname}`;
}
