import { hyphenate } from '../foundation/slug.ts';
import type { PageAddress } from './plan.ts';

/** Where the site lives: what every address is built on. */
export interface SiteRoot {
  /** Absolute, no trailing slash, or `null` when not configured. */
  readonly siteUrl: string | null;
  /** Path of `siteUrl` without trailing slash: `''` or `/docs`. */
  readonly basePath: string;
}

/** Splits a configured site URL into the parts addresses need; `undefined` means "not configured". */
export function siteRoot(siteUrl: string | undefined): SiteRoot {
  if (siteUrl === undefined) return { siteUrl: null, basePath: '' };
  const url = new URL(siteUrl);
  const basePath = url.pathname.replace(/\/+$/, '');
  return { siteUrl: url.origin + basePath, basePath };
}

/** Address of a file of the output; `index.html` is addressed by its folder. */
export function fileAddress(root: SiteRoot, path: string): PageAddress {
  const href = pageHref(root, path);
  return { path, href, url: root.siteUrl === null ? href : root.siteUrl + href.slice(root.basePath.length) };
}

/** The root-relative part of {@link fileAddress}. */
export function pageHref({ basePath }: SiteRoot, path: string): string {
  const visible = path === 'index.html' ? '' : path.replace(/\/index\.html$/, '/');
  // Joined in one go, so that no part of the string keeps a larger one alive.
  return [basePath, ...visible.split('/').map(encodeURIComponent)].join('/');
}

/** What a URL pattern may name. */
export interface PatternValues {
  readonly lang: string;
  readonly id: string;
  readonly slug: string;
}

/**
 * Output path for a URL pattern such as `{lang}/article/{id}-{slug}`.
 * A pattern that ends in `.html` names the file itself, any other a folder with `index.html`.
 */
export function expandPattern(pattern: string, values: PatternValues): string {
  const slug = values.slug === '' && !pattern.includes('{id}') ? values.id : values.slug;
  const segments = pattern
    .replace(/^\/+|\/+$/g, '')
    .split('/')
    .map((segment) =>
      safeSegment(
        segment
          .replaceAll('{lang}', values.lang)
          .replaceAll('{id}', values.id)
          .replaceAll('{slug}', slug)
          .replace(/-+(?=$|\.html$)/, ''),
      ),
    );
  const path = segments.join('/');
  return path.endsWith('.html') ? path : `${path}/index.html`;
}

/** Longest slug in UTF-8 bytes: with an id before it a segment stays under the 255 bytes file systems allow. */
const maxSlugBytes = 180;

const reservedOnWindows = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/i;

/** The slug of a title in a path. `''` when nothing is left (an emoji, `..`). */
export function pathSlug(title: string): string {
  return shorten(hyphenate(title));
}

/** Whether a slug from the API can be used unchanged (its own upper case is kept). */
export function isSafeSlug(slug: string): boolean {
  return slug !== '' && pathSlug(slug) === slug.toLowerCase();
}

/** A path segment that Windows reserves for a device (`con`, `nul`, …) gets an underscore. */
export function safeSegment(segment: string): string {
  return reservedOnWindows.test(segment) ? `${segment}_` : segment;
}

/** Cuts at a hyphen where there is one in the second half, never inside a character. */
function shorten(slug: string): string {
  if (Buffer.byteLength(slug) <= maxSlugBytes) return slug;
  let kept = '';
  let bytes = 0;
  for (const character of slug) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxSlugBytes) break;
    kept += character;
  }
  const hyphen = kept.lastIndexOf('-');
  return hyphen > kept.length / 2 ? kept.slice(0, hyphen) : kept.replace(/-$/, '');
}
