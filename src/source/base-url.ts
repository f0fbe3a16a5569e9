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
        : 'use https; the key would travel unencrypted',
      exitCode: 2,
    });
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

function invalid(message: string): LecternError {
  return new LecternError('BASE_URL_INVALID', message, {
    hint: 'give an address like https://kb.example.com/v1, and set the key in LECTERN_API_KEY',
    exitCode: 2,
  });
}
