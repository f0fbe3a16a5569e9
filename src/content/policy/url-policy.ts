import { decodePercent, parseUrl } from '../../core/addresses.ts';

/** Invisible characters in a URL: attackers hide a scheme with them. */
const ignored = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\u3000\ufeff]/g;

const schemePattern = /^([a-zA-Z][a-zA-Z0-9+.-]*):/;

/** `data:` URLs of raster images, which cannot contain scripts. Browsers show those with another name for JPEG, or with a parameter, too. */
const dataImage =
  /^data:image\/(png|gif|jpe?g|webp|avif)(?:;charset=[\w-]+)?;base64,([A-Za-z0-9+/]+={0,2})$/i;

/** Longest `data:` URL that is accepted: 2 MB. */
const maxDataLength = 2_000_000;

/** Classification of a link URL. */
type ClassifiedLink =
  | { readonly kind: 'web'; readonly href: string }
  | { readonly kind: 'contact'; readonly href: string }
  /** `directive`: the part after the id that only browsers use, such as `:~:text=…`, or empty. */
  | { readonly kind: 'fragment'; readonly fragment: string; readonly directive: string }
  | { readonly kind: 'empty' }
  | { readonly kind: 'refused' };

/** Classifies the URL of a link: http, https, mailto, tel, relative and `#fragment` are allowed. */
export function classifyLink(raw: string): ClassifiedLink {
  const href = normaliseLikeBrowser(raw);
  if (href === '') return { kind: 'empty' };
  if (href.startsWith('#')) {
    const { fragment, directive } = splitFragment(href.slice(1));
    if (fragment === '' && directive === '') return { kind: 'empty' };
    return { kind: 'fragment', fragment: decodePercent(fragment), directive: validAddress(directive) };
  }
  const scheme = schemeOf(href);
  if (scheme === null || scheme === 'http' || scheme === 'https') return { kind: 'web', href };
  if (scheme !== 'mailto' && scheme !== 'tel') return { kind: 'refused' };
  const contact = validAddress(href);
  return parseUrl(contact) === null ? { kind: 'refused' } : { kind: 'contact', href: contact };
}

/**
 * Absolute URL of an image, iframe or media file, or `null` if the policy refuses it. Allowed are http and https, and for images small
 * raster files in `data:`.
 */
export function resolveResource(raw: string, baseUrl: string | null, allowData: boolean): string | null {
  const address = normaliseLikeBrowser(raw);
  const scheme = schemeOf(address);
  // A fragment alone names the page, which is no image or video.
  if (
    /^(?:#|$)/.test(address) ||
    (scheme !== null && scheme !== 'http' && scheme !== 'https' && scheme !== 'data')
  )
    return null;
  if (scheme !== 'data') return absoluteAddress(address, baseUrl);
  const bare = address.replace(ignored, '');
  const [, type, bytes] = (allowData && bare.length <= maxDataLength ? dataImage.exec(bare) : null) ?? [];
  if (type === undefined) return null;
  return `data:image/${type.toLowerCase().replace('jpg', 'jpeg')};base64,${bytes}`;
}

/**
 * A URL as a browser reads it on a page of the site: without control characters and white space around it, without line ends, tabs and half
 * surrogate pairs in it, and with `https:` before `//host/`.
 */
function normaliseLikeBrowser(raw: string): string {
  if (isPlain.test(raw)) return raw;
  return raw
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[\t\n\r]+/g, '')
    .replace(/^[\u0000-\u0020]+/, '')
    .replace(/^[/\\]{2}/, 'https://')
    .trimEnd();
}

/** Matches a URL that browsers read as it is written, as most are. */
const isPlain = /^(?![/\\]{2})[!-~]*$/;

/** Lower-case scheme, even if invisible characters hide it; `null` for a relative URL. */
function schemeOf(address: string): string | null {
  const bare = isPlain.test(address) ? address : address.replace(ignored, '');
  return schemePattern.exec(bare)?.[1]?.toLowerCase() ?? null;
}

/** Matches an absolute URL that is already in its normal form, as most are. */
const normal =
  /^https:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}\/[A-Za-z0-9\-._~/]*(?:\?[A-Za-z0-9\-._~/=&+]*)?(?:#[A-Za-z0-9\-._~/=&]*)?$/;

/** URL resolved against the base (`null`: relative URLs give `null`) in its normal form; `null` unless it is http or https. */
export function absoluteAddress(href: string, baseUrl: string | null): string | null {
  if (normal.test(href) && !href.includes('/.') && !href.includes('xn--')) return href;
  const url = parseUrl(href, baseUrl ?? undefined);
  if (url === null) return null;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  if (url.username !== '') url.username = '';
  if (url.password !== '') url.password = '';
  // The brackets of an IPv6 host are part of its syntax.
  const origin = url.hostname.startsWith('[') ? url.origin : '';
  return origin + validAddress(url.href.slice(origin.length));
}

/** All characters beyond ASCII are allowed. */
const needsEncoding = /[^A-Za-z0-9\-._~:/?#@!$&'()*+,;=%\u0080-\uffff]|%(?![0-9A-Fa-f]{2})/g;

/** Percent-encodes characters that browsers tolerate in a URL but the URL standard does not allow. */
function validAddress(href: string): string {
  const hash = href.indexOf('#');
  const isTwice = hash >= 0 && href.includes('#', hash + 1);
  const once = isTwice ? href.slice(0, hash + 1) + href.slice(hash + 1).replaceAll('#', '%23') : href;
  return once.replace(needsEncoding, encodeURIComponent);
}

/**
 * Separates the id in a fragment from a text directive, which refers to words of the page and not to an element
 * (https://wicg.github.io/scroll-to-text-fragment/).
 */
export function splitFragment(raw: string): { readonly fragment: string; readonly directive: string } {
  const at = raw.indexOf(':~:');
  return at < 0 ? { fragment: raw, directive: '' } : { fragment: raw.slice(0, at), directive: raw.slice(at) };
}
