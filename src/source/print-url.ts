/** An address for messages: without user, password, query and fragment, since any of them may hold a secret. */
export function printUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}
