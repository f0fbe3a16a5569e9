import { hash } from 'node:crypto';
import { decodePercent } from '../../core/addresses.ts';
import { decodeEntities, escapeHtml } from '../../core/html.ts';
import type { ProblemCode } from '../../core/problems.ts';
import { slugify } from '../../core/slug.ts';
import type { FoundTargets, TextReference } from '../snapshot/format.ts';

/** Rewrites a URL: returns another one, the same one, or `null` to remove the image or link. */
type Rewrite = (address: string, kind: 'image' | 'link') => string | null;

/** A start tag of an image, link or player with its attributes; quoted values may contain `>`. */
const tag = /<(img|a|video|audio|source)\b((?:[^>"']|"[^"]*"|'[^']*')*)>/gi;

const attribute = (name: string): RegExp =>
  new RegExp(`(\\s${name}\\s*=\\s*)(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i');
const source = attribute('src');
const target = attribute('href');
const alternative = attribute('alt');
const sources = new RegExp(attribute('(?:data-)?srcset'), 'gi');

/**
 * Rewrites the URLs of images, links and players, whose files are links, in HTML; the content stage handles everything else. A removed image
 * is replaced by its alternative text.
 */
export function rewriteReferences(html: string, rewrite: Rewrite): string {
  return html.replace(tag, (whole, name: string, attributes: string) => {
    const isImage = name.toLowerCase() === 'img';
    const pattern = name.toLowerCase() === 'a' ? target : source;
    const found = pattern.exec(attributes);
    if (found === null) return whole;
    const address = decodeEntities(found[2] ?? found[3] ?? found[4] ?? '');
    const rewritten = rewrite(address, isImage ? 'image' : 'link');
    if (rewritten === address) return whole;
    if (rewritten !== null) {
      // A function, because `$` has a meaning in replacement strings.
      const changed = attributes
        .replace(pattern, (_all, before: string) => `${before}"${escapeHtml(rewritten)}"`)
        .replace(isImage ? sources : /$^/, '');
      return `<${name}${changed}>`;
    }
    if (!isImage) return `<${name}${attributes.replace(pattern, '')}>`;
    const [, , double, single, bare] = alternative.exec(attributes) ?? [];
    return double ?? single ?? bare ?? '';
  });
}

/** Target of a path in a body. */
export type ReferenceTarget =
  /** An article or category, in the form the link resolver knows. */
  | {
      readonly kind: 'page';
      readonly href: string;
      /** Fragments that lead to the start of the page. */
      readonly titleIds?: readonly string[] | undefined;
    }
  /** An image or another file of the folder. */
  | { readonly kind: 'file'; readonly address: string }
  /** `unread`: a file of Markdown that is no page, such as a part of pages, or one with wrong front matter. */
  | { readonly kind: 'outside' | 'link' | 'unread' | 'none' };

/** What the references of an article lead to. An edit elsewhere can change it. */
export interface ReferenceTargets {
  /** Hash that is the same as long as every reference of the folder has the same target. */
  readonly layout: string;
  readonly find: (reference: TextReference) => unknown;
}

export function describeTargets(
  { layout, find }: ReferenceTargets,
  references: readonly TextReference[],
): FoundTargets {
  return { layout, references, hash: hash('sha256', JSON.stringify(references.map(find))).slice(0, 32) };
}

export type ReportReference = (code: ProblemCode, message: string) => void;

/**
 * Resolves the relative URLs of a body to articles and files of the folder. Links and images to missing files, or to files outside the
 * folder, are removed and reported; unknown root-relative URLs (`/…`) may belong to the help centre and do not change.
 * @param path path of the file with the body, for messages
 * @param titleIds fragments that lead to the start of the body's own page
 * @param isVault whether fragments of pages are the texts of headings
 */
export function resolveReferences(
  html: string,
  path: string,
  find: (path: string) => ReferenceTarget,
  report: ReportReference,
  titleIds: readonly string[] = [],
  isVault = false,
): string {
  const rewrite: Rewrite = (address, kind) => {
    const trimmed = address.trim();
    if (isOneOf(titleIds, trimmed)) return '#top';
    // Another scheme or host, a fragment, a query, or an empty URL.
    if (trimmed === '' || /^(?:[a-z][a-z0-9+.-]*:|\/\/|[#?\\])/i.test(trimmed)) return address;
    const [, file = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(trimmed) ?? [];
    const target = find(decodePercent(file));
    if (target.kind === 'page' && kind === 'link') {
      const written = rest.replace(/^\?[^#]*/, '');
      const fragment = isVault ? fragmentOf(decodePercent(written.slice(1))) : written;
      return isOneOf(target.titleIds ?? [], fragment) ? target.href : target.href + fragment;
    }
    if (target.kind === 'file') {
      return target.address + (kind === 'link' ? rest : '');
    }
    if (target.kind === 'none' && file.startsWith('/')) return address;
    if (target.kind === 'none' || target.kind === 'page' || target.kind === 'unread') {
      const code = kind === 'image' ? 'IMAGE_MISSING' : 'LINK_BROKEN';
      const isHidden = /(?:^|\/)\.[^./]/.test(file);
      const absent = isHidden ? 'is hidden, because its name begins with a dot' : 'does not exist';
      const why = target.kind === 'unread' ? 'is not read as a page' : absent;
      report(code, `the ${kind} ${quoted(trimmed)} in ${path} points to a file that ${why}`);
      return null;
    }
    const why = target.kind === 'outside' ? 'is outside the folder' : 'is a symbolic link';
    report('FILE_OUTSIDE', `the ${kind} ${quoted(trimmed)} in ${path} ${why}`);
    return null;
  };
  return rewriteReferences(html, rewrite);
}

/** The fragment that leads to a heading, in whose place a vault may name the headings above it, too, or a block, which has no address. */
export function fragmentOf(heading: string): string {
  const slug = heading.startsWith('^') ? '' : slugify(heading.split('#').at(-1) ?? '');
  return slug === '' ? '' : `#${slug}`;
}

/** @param fragment with its hash sign */
function isOneOf(ids: readonly string[], fragment: string): boolean {
  return fragment.startsWith('#') && ids.includes(decodePercent(fragment.slice(1)));
}

function quoted(address: string): string {
  return JSON.stringify(address.slice(0, 200));
}
