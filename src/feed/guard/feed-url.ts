import type { FeedUrl } from '../../content/document.ts';
import { parseUrl, siteHost } from '../../core/addresses.ts';

/**
 * The URL of a link or image in the feed: without credentials and signatures, and `#` for private URLs and `data:` images. Pure.
 * @param ownHost host of the site (see `siteHost`), which is never private: it may be an intranet's; `null` if unknown
 */
export function feedUrl(url: string, ownHost: string | null): FeedUrl {
  if (/^data:/i.test(url)) return { url: '#', change: null };
  const clean = removeCredentials(url);
  if (isPrivateUrl(url, ownHost)) return { url: '#', change: `${clean} became #` };
  return { url: clean, change: clean === url ? null : `${clean} lost its credentials` };
}

/** Query parameters of a signed URL, whose whole query is removed. */
const signature = /^(?:x-amz-signature|x-goog-signature|signature|sig|hmac|key-pair-id)$/i;

/** Query parameters that are credentials. */
const credential =
  /^(?:x-amz-.*|(?:access|auth|id|refresh|session)?[_-]?token|api[_-]?key|jwt|password|secret)$/i;

/**
 * Removes signatures, credentials and user information from a URL. Signed URLs also expire and change with every run, so the feed would
 * change without need.
 */
function removeCredentials(url: string): string {
  if (!/[?@]/.test(url)) return url;
  const named = url.replace(/^(https?:\/\/)[^/?#@]*@/i, '$1');
  const [, before = '', query = '', fragment = ''] = /^([^?#]*)\??([^#]*)(.*)$/s.exec(named) ?? [];
  if (query === '') return named;
  const parameters = query.split(/&amp;|&/);
  const names = parameters.map((parameter) => parameter.split('=')[0] ?? '');
  if (names.some((name) => signature.test(name))) return before + fragment;
  const kept = parameters.filter((_, at) => !credential.test(names[at] ?? ''));
  if (kept.length === parameters.length) return named;
  return `${before}${kept.length === 0 ? '' : `?${kept.join('&')}`}${fragment}`;
}

/**
 * Whether a URL leads to a private machine or network (loopback, private and link-local ranges, names that public DNS does not know) other
 * than the site itself.
 */
function isPrivateUrl(url: string, ownHost: string | null): boolean {
  const parsed = parseUrl(url);
  if (parsed === null || siteHost(parsed) === ownHost) return false;
  const host = parsed.hostname.replace(/\.$/, '');
  return (
    /^(?:localhost|.*\.(?:localhost|local|internal|intranet|lan|home\.arpa))$/.test(host) ||
    /^(?:127|10)\.|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^0\.0\.0\.0$/.test(host) ||
    /^\[(?:::1?|f[cd].*|fe[89ab].*)\]$/.test(host)
  );
}
