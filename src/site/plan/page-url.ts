import { encodeUrlPath } from '../../core/addresses.ts';
import { LecternError } from '../../core/errors.ts';
import { hyphenate } from '../../core/slug.ts';
import { isOutputName } from '../../output/foreign-files.ts';
import type { PageAddress, Plan, PlannedLanguage } from './plan.ts';

/** URL and base path of the site. */
export interface SiteRoot {
  /** Absolute, no trailing slash, or `null` if not configured. */
  readonly siteUrl: string | null;
  /** Path of `siteUrl` without trailing slash: `''` or `/docs`. */
  readonly basePath: string;
}

/** Splits a configured site URL into the parts that page URLs need; `undefined` means "not configured". */
export function siteRoot(siteUrl: string | undefined): SiteRoot {
  if (siteUrl === undefined) return { siteUrl: null, basePath: '' };
  const url = new URL(siteUrl);
  const basePath = url.pathname.replace(/\/+$/, '');
  return { siteUrl: url.origin + basePath, basePath };
}

/** URL of a file of the output; for `index.html`, the URL of its folder. */
export function fileAddress({ siteUrl, basePath }: SiteRoot, path: string): PageAddress {
  const visible = path === 'index.html' ? '' : path.replace(/\/index\.html$/, '/');
  // One join, because a substring would keep a larger string in memory.
  const href = [basePath, ...visible.split('/').map(encodeURIComponent)].join('/');
  return { path, href, url: siteUrl === null ? href : siteUrl + href.slice(basePath.length) };
}

/** The URL that search engines list for a home page: one that Lectern makes for the only language is at the root of the site, too. */
export function homeAddress(plan: Plan, { home }: PlannedLanguage): PageAddress {
  return plan.languages.length === 1 && home.articleId === null ? fileAddress(plan, 'index.html') : home;
}

/** Path (`…/index.html.md`) and URL of the Markdown twin of a page. */
export function twinAddress(root: SiteRoot, { path }: Pick<PageAddress, 'path'>): PageAddress {
  return fileAddress(root, `${path}.md`);
}

/**
 * Address of a page that exists already.
 * @param path of its file
 * @param urlPath of its URL, as its own site has it: decoded, without the first slash (`guide/`, `guide`, `guide.html`)
 */
export function existingAddress(root: SiteRoot, path: string, urlPath: string): PageAddress {
  const relative = encodeUrlPath(urlPath);
  return { path, href: `${root.basePath}/${relative}`, url: `${root.siteUrl ?? ''}/${relative}` };
}

/** Values for the placeholders of a URL pattern. */
export interface PatternValues {
  readonly lang: string;
  readonly id: string;
  readonly slug: string;
  /** Path of the page in its own generator; `null` if it has none. The home page has `''`, which Lectern itself uses. */
  readonly path: string | null;
}

/**
 * Output path for a URL pattern such as `{lang}/article/{id}-{slug}`. A pattern that ends in `.html` or `.htm` is the file itself; any other is a
 * folder with `index.html`. If the pattern contains `{lang}`, the folder of the language in `{path}` is omitted.
 */
export function expandPattern(pattern: string, values: PatternValues): string {
  if (!pattern.includes('{path}')) return expandNames(pattern, values);
  const parts = (values.path ?? '').split('/').filter((part) => !/^\.{0,2}$/.test(part));
  const isInLanguage = parts[0]?.toLowerCase() === values.lang.toLowerCase();
  if (pattern.includes('{lang}') && isInLanguage) parts.shift();
  if (parts.at(-1) === 'index.html') parts.pop();
  const isHome = parts.length === 0 || (parts.length === 1 && isInLanguage && !pattern.includes('{lang}'));
  // `index/` is the list of all articles.
  if (isHome) parts.push(values.slug === 'index' ? 'home' : '{slug}');
  const path = parts
    .map((part, at) => (isHome && at === parts.length - 1 ? part : pathSegment(part)))
    .join('/');
  const whole = expandNames(
    pattern.replace('{path}', () => path),
    values,
  );
  // Lectern writes other files there.
  return isReserved(whole) ? whole.replace(/^[^/]+?(?=\/|\.html?$)/, '$&_') : whole;
}

/** A part of a path from another generator as the name of a file on every system. */
function pathSegment(part: string): string {
  const safe = part
    .normalize('NFC')
    .replace(/[\p{C}\s\\?#%:*"<>|{}]+/gu, '-')
    .replace(/[. ]+$/, '');
  const end = /\.html?$/.exec(safe)?.[0] ?? '';
  return shorten(safe.slice(0, safe.length - end.length) || 'page', maxSegmentBytes - end.length) + end;
}

function expandNames(pattern: string, values: PatternValues): string {
  const slug = values.slug === '' && !pattern.includes('{id}') ? values.id : values.slug;
  const segments = pattern
    .replace(/^\/+|\/+$/g, '')
    .split('/')
    .map((segment) => {
      const filled = segment.replaceAll('{lang}', values.lang).replaceAll('{id}', values.id);
      const room = maxSegmentBytes - Buffer.byteLength(filled.replaceAll('{slug}', ''));
      const whole = filled.replaceAll('{slug}', shorten(slug, Math.max(0, room)));
      // The id of a category may consist of hyphens only.
      return safeSegment(whole.replace(/(?<!^-*)-+(?=$|\.html?$)/, ''));
    });
  const path = segments.join('/');
  return /\.html?$/.test(path) ? path : `${path}/index.html`;
}

/** File systems allow 255. Markdown twins, and copies that web servers compress, have longer names than pages. */
const maxSegmentBytes = 240;

/** Longest slug in UTF-8 bytes. */
const maxSlugBytes = 180;

const reservedOnWindows = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/i;

/** The slug for a title in a path; `''` if nothing is left (an emoji, `..`). */
export function pathSlug(title: string): string {
  return shorten(hyphenate(title), maxSlugBytes);
}

/** Whether a slug from the API can be used unchanged (its case is preserved). */
export function isSafeSlug(slug: string): boolean {
  return slug !== '' && pathSlug(slug) === slug.toLowerCase();
}

/** Adds an underscore to a path segment that Windows reserves for a device (`con`, `nul`, …). */
export function safeSegment(segment: string): string {
  return reservedOnWindows.test(segment) ? `${segment}_` : segment;
}

/** Cuts at a hyphen if there is one in the second half, and never inside a character. */
function shorten(slug: string, maxBytes: number): string {
  if (Buffer.byteLength(slug) <= maxBytes) return slug;
  let kept = '';
  let bytes = 0;
  for (const character of slug) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    kept += character;
  }
  const hyphen = kept.lastIndexOf('-');
  return hyphen > kept.length / 2 ? kept.slice(0, hyphen) : kept.replace(/-$/, '');
}

/** Whether other stages, or the web server, use the file or folder at the root that a path is in. */
function isReserved(path: string): boolean {
  const [root = ''] = path.toLowerCase().split('/');
  return isOutputName(root) || root === '.htaccess';
}

/** Owner of the reserved paths. */
const itself = 'Lectern itself';

/** Gives every page a unique path before anything is written. */
export interface PathRegistry {
  /**
   * @param owner how the message names the page, e.g. `the home page of en`
   * @throws OUTPUT_CONFLICT if another page has the path (compared without case, as macOS and Windows do)
   */
  claim(path: string, owner: string): void;
  /** Takes the path of a home page, also at the root of the site. Returns whether it was free. */
  claimHome(path: string, owner: string): boolean;
  /**
   * The path of a record's page: the wanted one, or one with the record's id appended if another page already has that; `takenBy` names
   * that page.
   * @throws OUTPUT_CONFLICT if Lectern uses both paths itself
   */
  claimForRecord(path: string, id: string, owner: string): ClaimedPath;
}

interface ClaimedPath {
  readonly path: string;
  readonly takenBy: string | null;
}

/** Starts a registry in which only the reserved paths are taken. */
export function createPathRegistry(): PathRegistry {
  /** Names of the pages by path. */
  const owners = new Map<string, string>();
  const keyOf = (path: string): string => path.normalize('NFC').toLowerCase();
  const ownerOf = (path: string): string | null =>
    owners.get(keyOf(path)) ?? (isReserved(path) ? itself : null);
  return {
    claim(path, owner) {
      const other = ownerOf(path);
      if (other !== null) throw conflict(path, other, owner);
      owners.set(keyOf(path), owner);
    },
    claimHome(path, owner) {
      if (owners.has(keyOf(path))) return false;
      owners.set(keyOf(path), owner);
      return true;
    },
    claimForRecord(path, id, owner) {
      const takenBy = ownerOf(path);
      let free = path;
      for (let number = 1; ownerOf(free) !== null; number += 1) {
        free = withSuffix(path, number === 1 ? id : `${id}-${number}`);
        // A pattern that leads into a reserved folder does so for every page name.
        if (isReserved(free)) throw conflict(path, itself, owner);
      }
      owners.set(keyOf(free), owner);
      return { path: free, takenBy };
    },
  };
}

/** `en/reset/index.html` becomes `en/reset-4fq8d7s2ka/index.html`. */
function withSuffix(path: string, suffix: string): string {
  const end = /(?:\/index)?\.html?$/.exec(path)?.[0] ?? '';
  const stem = path.slice(0, path.length - end.length);
  const at = stem.lastIndexOf('/') + 1;
  const name = shorten(stem.slice(at), maxSegmentBytes - suffix.length - '-.html'.length);
  return `${stem.slice(0, at)}${name}-${suffix}${end}`;
}

function conflict(path: string, other: string, owner: string): LecternError {
  const message =
    other === itself
      ? `${owner} has the path ${path}, which Lectern writes itself`
      : `${other} and ${owner} both have the path ${path}`;
  return new LecternError('OUTPUT_CONFLICT', message, {
    hint: 'choose another pattern in urls.article or urls.category',
  });
}
