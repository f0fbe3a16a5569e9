import type { PageAddress } from './plan.ts';
import { safeSegment } from './slug.ts';

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
