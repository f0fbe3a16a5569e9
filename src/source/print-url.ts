/** An address for messages: without user, password, query and fragment, since any of them may hold a secret. */
export function printUrl(url: URL): string {
  // Only web addresses have an origin of their own.
  const start = url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin;
  return `${start}${url.pathname}`;
}
