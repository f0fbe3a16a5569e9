import type { LanguageTag } from '../foundation/model.ts';

/** Why an address redirects: also the order in which hosts with a limit get the rules, since they use the first. */
export const redirectOrigins = ['configured', 'renamed', 'untranslated', 'gone', 'legacy-url'] as const;

export type RedirectOrigin = (typeof redirectOrigins)[number];

/** An address that redirects. */
export interface RedirectRule {
  readonly origin: RedirectOrigin;
  /** Root-relative with the site's base path, decoded, without slash at the end: `/docs/en/article/4fq8d7s2ka-old`. */
  readonly from: string;
  /** Percent-encoded, root-relative or absolute; `null`: gone for good, and the host is to say so (410). */
  readonly to: string | null;
  /** `false`: search engines continue to list the old address. */
  readonly isPermanent: boolean;
}

/**
 * All legacy URLs of one record: `/article/<id>`, any slug behind it, and `/l/<lang>/…` before
 * it. Hosts that know patterns need one of these where others need a rule per slug.
 */
export interface RecordRule {
  readonly kind: 'article' | 'category';
  readonly id: string;
  /** Where addresses without a language lead, and those of languages the record is not translated into. */
  readonly to: string;
  readonly toByLanguage: ReadonlyMap<LanguageTag, string>;
}

/** Every redirect of a site: no chains, no loops, nothing that hides a page, one rule per address. */
export interface RedirectTable {
  /** `''` or `/docs`. */
  readonly basePath: string;
  /** All rules but those of legacy URLs: by origin, then by address. */
  readonly exact: readonly RedirectRule[];
  /** Rules of single legacy URLs, sorted; generated on each iteration, because there are many. */
  readonly legacyUrls: Iterable<RedirectRule>;
  /** The same by record: articles before categories, then by id; generated on each iteration. */
  readonly records: Iterable<RecordRule>;
}

/** Files for a host, and what it will not do with them. */
export interface HostFiles {
  /** To be written one after the other. */
  readonly files: Iterable<HostFile>;
  /** Limits of the host that are exceeded, one sentence each; asked for once the files are written. */
  limits(): readonly string[];
}

export interface HostFile {
  /** Relative to the output folder. */
  readonly path: string;
  /** Part by part. */
  readonly content: Iterable<string>;
}

/**
 * Ids of categories that are not ten letters and digits, longest first: a host's pattern for all other ids cannot tell where
 * such an id ends and a slug begins.
 */
export function unusualIds(records: Iterable<RecordRule>): readonly string[] {
  const ids: string[] = [];
  for (const { kind, id } of records) if (kind === 'category' && !/^[A-Za-z0-9]{10}$/.test(id)) ids.push(id);
  return ids.sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
}

/** Legacy URLs come last. */
export function* allRules({ exact, legacyUrls }: RedirectTable): Generator<RedirectRule> {
  yield* exact;
  yield* legacyUrls;
}

/** One address in one spelling: decoded, without query, fragment, `index.html` and slash at the end. */
export function addressKey(address: string): string {
  const path = address.replace(/[?#].*$/s, '').replace(/\/+(?:index\.html)?$/, '');
  try {
    return decodeURIComponent(path).normalize('NFC');
  } catch {
    return path;
  }
}

/** The key of a file of the output as an address. */
export function fileKey(basePath: string, path: string): string {
  return `${basePath}/${path}`.replace(/\/(?:index\.html)?$/, '').normalize('NFC');
}

/** A decoded path, percent-encoded so that no host takes a part of it for a pattern. */
export function encodePath(path: string): string {
  return path
    .split('/')
    .map((segment) => encodeURIComponent(segment).replace(/[!'()*]/g, encodeSign))
    .join('/');
}

function encodeSign(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}
