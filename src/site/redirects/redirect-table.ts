import { decodePercent } from '../../core/addresses.ts';
import type { LanguageTag } from '../../core/model.ts';
import type { RenderedFile } from '../pages/assets.ts';

/** Why a URL redirects. Hosts with a limit receive the rules in this order, because they use the first ones. */
export const redirectOrigins = [
  'configured',
  'project',
  'renamed',
  'untranslated',
  'legacy-url',
  'hosted-url',
] as const;

type RedirectOrigin = (typeof redirectOrigins)[number];

/** A URL that redirects. */
export interface RedirectRule {
  readonly origin: RedirectOrigin;
  /** Root-relative with the site's base path, decoded, without trailing slash: `/docs/en/article/4fq8d7s2ka-old`. */
  readonly from: string;
  /** Percent-encoded, root-relative or absolute. */
  readonly to: string;
  /** `false`: search engines continue to list the old URL. */
  readonly isPermanent: boolean;
}

/**
 * All URLs of one record in a hosted help centre: `/article/<id>`, with any slug after it, and with `/l/<lang>/…` before it. Hosts with patterns need
 * one rule per record; other hosts need one per slug.
 */
export interface RecordRule {
  readonly kind: 'article' | 'category';
  readonly id: string;
  /** Target of URLs without a language, and of languages without a translation. */
  readonly to: string;
  readonly toByLanguage: ReadonlyMap<LanguageTag, string>;
}

/** All redirects of a site: no chains, no loops, no rule that hides a page, one rule per URL. */
export interface RedirectTable {
  /** Lines of the user that follow those of `_redirects`. */
  readonly appended: string;
  /** `''` or `/docs`. */
  readonly basePath: string;
  /** By origin, then by URL. */
  readonly rules: readonly RedirectRule[];
  /** The records whose rules have the origin `hosted-url`: articles before categories, then by id. */
  readonly records: readonly RecordRule[];
}

/** Files for a host, and the limits of the host that they exceed, one sentence each. */
export interface HostFiles {
  /** Can be read once. */
  readonly files: Iterable<RenderedFile>;
  readonly limits: readonly string[];
}

/**
 * Category ids that are not ten letters and digits, longest first: the host's pattern for other ids cannot separate such an id from a slug.
 */
export function unusualIds(records: readonly RecordRule[]): readonly string[] {
  const ids: string[] = [];
  for (const { kind, id } of records) if (kind === 'category' && !/^[A-Za-z0-9]{10}$/.test(id)) ids.push(id);
  return ids.sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
}

/** Normal form of a URL: decoded, without query, fragment, `index.html` and trailing slash. */
export function addressKey(address: string): string {
  return decodePercent(address.replace(/[?#].*$/s, '').replace(/\/+(?:index\.html)?$/, '')).normalize('NFC');
}

/** The key of an output file's URL. */
export function fileKey(basePath: string, path: string): string {
  return `${basePath}/${path}`.replace(/\/(?:index\.html)?$/, '').normalize('NFC');
}

/** Encodes a decoded path so that hosts do not read any part of it as a pattern. */
export function encodePath(path: string): string {
  return path
    .split('/')
    .map((segment) => encodeURIComponent(segment).replace(/[!'()*]/g, encodeSign))
    .join('/');
}

/** An ASCII sign as percent-encoding. */
export function encodeSign(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}
