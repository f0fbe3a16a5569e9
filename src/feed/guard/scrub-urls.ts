/** Start of a link's or image's address, and the address: between angle brackets, or with balanced parentheses. */
const destination = /(\]\()(?:<([^<>\n]*)>|((?:\\.|[^()\s<>\\]+|\((?:\\.|[^()\s<>\\]){0,2000}\)){1,2000}))/g;

/**
 * Takes credentials and signatures out of every address of a Markdown text. Links and images that lead to private
 * addresses, and images that are data, lead nowhere (`#`): their words stay.
 */
export function scrubMarkdown(markdown: string): string {
  const linked = markdown.replace(
    destination,
    (all: string, open: string, quoted: string | undefined, bare: string | undefined) => {
      const url = quoted ?? bare?.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1') ?? '';
      if (isPrivateUrl(url) || /^data:/i.test(url)) return `${open}#`;
      const clean = scrubUrl(url);
      return clean === url ? all : `${open}${clean.replaceAll(/[\\()<>\s]/g, escapeSign)}`;
    },
  );
  return scrubUrls(linked);
}

function escapeSign(sign: string): string {
  return /\s/.test(sign) ? encodeURIComponent(sign) : `\\${sign}`;
}

/** Names of query parameters that carry a signature; an address with one of them is worth nothing without the others. */
const signature = /^(?:x-amz-signature|x-goog-signature|signature|sig|hmac|key-pair-id)$/i;

/** Names of query parameters that are a credential by themselves. */
const credential =
  /^(?:x-amz-.*|(?:access|auth|id|refresh|session)?[_-]?token|api[_-]?key|jwt|password|secret)$/i;

/** An address in running text, which may be Markdown and so hold backslashes; it ends before a closing parenthesis. */
const inText = /https?\\?:\/\/(?:\\.|[^\s<>"'`()\\]+){1,2000}/gi;

/**
 * Takes what must not be published out of one address: signatures and credentials in the query, and user names with
 * passwords. Signed addresses expire and change with every run, so they would also make a feed wobble.
 */
export function scrubUrl(url: string): string {
  const named = url.replace(/^(https?\\?:\/\/)[^/?#@]*@/i, '$1');
  const [, before = '', query = '', fragment = ''] = /^([^?#]*)\??([^#]*)(.*)$/s.exec(named) ?? [];
  if (query === '') return named;
  const parameters = query.split(/&amp;|\\?&/);
  const names = parameters.map((parameter) => (parameter.split(/\\?=/)[0] ?? '').replaceAll('\\', ''));
  if (names.some((name) => signature.test(name))) return before.replace(/\\$/, '') + fragment;
  const kept = parameters.filter((_, at) => !credential.test(names[at] ?? ''));
  if (kept.length === parameters.length) return named;
  return `${before}${kept.length === 0 ? '' : `?${kept.join('&')}`}${fragment}`;
}

/** Scrubs every http(s) address of a text. */
export function scrubUrls(text: string): string {
  return text.includes('//') ? text.replace(inText, scrubUrl) : text;
}

/**
 * Whether an address leads to a machine or network of its reader alone (loopback, private and link-local ranges,
 * names that no public name server knows).
 */
export function isPrivateUrl(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : '';
  return (
    /^(?:localhost|.*\.(?:localhost|local|internal|intranet|lan|home\.arpa))$/.test(host) ||
    /^(?:127|10)\.|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^0\.0\.0\.0$/.test(host) ||
    /^\[(?:::1?|f[cd].*|fe[89ab].*)\]$/.test(host)
  );
}
