import type { LanguageTag } from '../model.ts';
import type { PageAddress, Plan } from '../plan/plan.ts';
import { escapeHtml } from './html.ts';

/** What the machine-readable part of a page's head is made from. */
export interface HeadParts {
  readonly plan: Plan;
  readonly page: PageAddress;
  /** The page search engines shall take for this one; the page itself, unless it only stands in for another. */
  readonly canonical: PageAddress;
  readonly title: string;
  readonly description: string | null;
  readonly language: LanguageTag;
  readonly kind: 'website' | 'article';
  /** The same page in all languages it really exists in, its own among them; empty: no hreflang. */
  readonly alternates: readonly { readonly language: LanguageTag; readonly page: PageAddress }[];
  /** The page for readers of no listed language, or `null`. */
  readonly defaultPage: PageAddress | null;
  /** False for pages that search engines shall leave out. */
  readonly isIndexed: boolean;
  readonly markdown: PageAddress | null;
  readonly feed: { readonly page: PageAddress; readonly title: string } | null;
  /** A script element with structured data, or nothing. */
  readonly structuredData: string;
}

/**
 * Meta and link elements of a page. Canonical, hreflang and OpenGraph need absolute addresses (their specifications
 * say so) and are left out while the site's address is not known.
 */
export function renderHead(parts: HeadParts): string {
  const lines: string[] = [];
  const { page, description } = parts;
  if (description !== null) lines.push(meta('name', 'description', description));
  if (!parts.isIndexed) lines.push('<meta name="robots" content="noindex">');
  const { canonical } = parts;
  if (parts.plan.siteUrl !== null && (parts.isIndexed || canonical !== page)) {
    lines.push(link('canonical', canonical.url));
  }
  if (parts.plan.siteUrl !== null && parts.isIndexed) {
    if (parts.alternates.length > 1) {
      for (const { language, page: alternate } of parts.alternates) {
        lines.push(link('alternate', alternate.url, `hreflang="${escapeHtml(language)}"`));
      }
      if (parts.defaultPage !== null) {
        lines.push(link('alternate', parts.defaultPage.url, 'hreflang="x-default"'));
      }
    }
    lines.push(...openGraph(parts));
  }
  if (parts.markdown !== null) lines.push(link('alternate', parts.markdown.href, 'type="text/markdown"'));
  if (parts.feed !== null) {
    const title = escapeHtml(parts.feed.title);
    lines.push(link('alternate', parts.feed.page.href, `type="application/atom+xml" title="${title}"`));
  }
  if (parts.structuredData !== '') lines.push(parts.structuredData);
  return lines.join('\n');
}

/** Text cut at a word for a description; search engines show some 155 characters. */
export function summarize(text: string, length = 155): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= length) return line;
  const cut = line.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
  const space = cut.lastIndexOf(' ');
  return `${(space > length / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.·、。，]+$/, '')}…`;
}

function openGraph(parts: HeadParts): readonly string[] {
  const lines = [
    meta('property', 'og:type', parts.kind),
    meta('property', 'og:site_name', parts.plan.siteTitle),
    meta('property', 'og:title', parts.title),
    meta('property', 'og:url', parts.page.url),
    meta('property', 'og:locale', openGraphLocale(parts.language)),
  ];
  if (parts.description !== null) lines.push(meta('property', 'og:description', parts.description));
  return lines;
}

/** Asking `Intl` on every page would take a tenth of the time of rendering it. */
const openGraphLocales = new Map<LanguageTag, string>();

/** OpenGraph writes `language_TERRITORY`; the likely territory stands in where the tag names none. */
function openGraphLocale(tag: LanguageTag): string {
  const known = openGraphLocales.get(tag);
  if (known !== undefined) return known;
  const { language, region } = new Intl.Locale(tag).maximize();
  const locale = region === undefined ? language : `${language}_${region}`;
  openGraphLocales.set(tag, locale);
  return locale;
}

function meta(attribute: 'name' | 'property', name: string, content: string): string {
  return `<meta ${attribute}="${name}" content="${escapeHtml(content)}">`;
}

function link(rel: string, href: string, rest = ''): string {
  return `<link rel="${rel}" href="${escapeHtml(href)}"${rest === '' ? '' : ` ${rest}`}>`;
}
