import { escapeHtml } from '../foundation/html.ts';
import { textDirection } from '../foundation/language.ts';
import type { LanguageTag } from '../foundation/model.ts';
import type { Texts } from './texts.ts';
import type { BaseView, LanguageLinkView, LanguageView, LinkView, SiteView } from './views.ts';

/**
 * The chrome of one page (head, header, language menu, side tree), without the parts that depend on the page's text. Plain data, because it
 * may be passed to a thread.
 */
export interface PageChrome {
  /** Language of the interface. */
  readonly language: LanguageTag;
  readonly page: BaseView['page'];
  readonly head: HeadFacts;
  readonly languages: readonly LanguageLinkView[];
  readonly topics: readonly LinkView[];
  readonly tree: PageTree;
}

/** The side tree of one page. */
export interface PageTree {
  /** The same object for all pages that show it, so that it is copied to a thread once per batch. */
  readonly shared: SharedTree;
  /** URL of the page, whose link is marked as current. */
  readonly currentHref: string;
}

/** A tree without a mark for the current page, rendered once for many pages. */
export interface SharedTree {
  /** Empty if the look has no tree. */
  readonly html: string;
  /** SHA-256 of the HTML, hex: used in hashes instead of several kilobytes per page. */
  readonly sha256: string;
}

/** Chrome that all pages of a language share. */
export interface SharedChrome {
  readonly site: SiteView;
  readonly language: LanguageView;
  /** HTML. */
  readonly footer: string;
  readonly texts: Texts;
}

/** The fields of every page's view. Pure. */
export function completeChrome(shared: SharedChrome, chrome: PageChrome, text: HeadText): BaseView {
  return {
    site: shared.site,
    language: shared.language,
    page: chrome.page,
    head: renderHead(shared.site, chrome.head, text),
    languages: chrome.languages,
    topics: chrome.topics,
    tree: markCurrent(chrome.tree),
    footer: shared.footer,
    t: shared.texts.text,
    date: shared.texts.date,
    inLanguage: languageAttributes,
  };
}

const attributesByLanguage = new Map<LanguageTag, string>();

/** ` lang="ar" dir="rtl"` for text of another language than the page's; empty for `null`. */
export function languageAttributes(tag: LanguageTag | null): string {
  if (tag === null) return '';
  const known = attributesByLanguage.get(tag);
  if (known !== undefined) return known;
  const attributes = ` lang="${escapeHtml(tag)}" dir="${textDirection(tag)}"`;
  attributesByLanguage.set(tag, attributes);
  return attributes;
}

function markCurrent({ shared, currentHref }: PageTree): string {
  return shared.html.replace(`<a href="${currentHref}"`, `<a aria-current="page" href="${currentHref}"`);
}

/** Machine-readable part of a page's head, without the parts that depend on its text. Plain data. */
interface HeadFacts {
  readonly title: string;
  readonly language: LanguageTag;
  readonly kind: 'website' | 'article';
  /** False for pages that search engines must not index. */
  readonly isIndexed: boolean;
  /** Absolute URL of the page; `null` if the site URL is unknown. */
  readonly url: string | null;
  /** Absolute canonical URL; `null` for none. */
  readonly canonical: string | null;
  /** The page in all languages that have it, including its own; empty: no hreflang. */
  readonly alternates: readonly { readonly language: LanguageTag; readonly url: string }[];
  /** URL of the page for readers of other languages (`x-default`), or `null`. */
  readonly defaultUrl: string | null;
  /** URL of the Markdown twin, or `null`. */
  readonly markdown: string | null;
  readonly feed: { readonly href: string; readonly title: string } | null;
  /** Absolute URL of its own picture for shared links; `null`: that of the site. */
  readonly image: string | null;
}

/** Part of the head that depends on the page's text. */
export interface HeadText {
  readonly description: string | null;
  /** A script element with structured data, or nothing. */
  readonly structuredData: string;
}

/**
 * Meta and link elements of a page. Canonical, hreflang and OpenGraph require absolute URLs, so they are omitted if the site URL is
 * unknown.
 */
export function renderHead(
  site: Pick<SiteView, 'title' | 'ogImage'>,
  facts: HeadFacts,
  { description, structuredData }: HeadText,
): string {
  const lines: string[] = [];
  if (description !== null) lines.push(meta('name', 'description', description));
  if (!facts.isIndexed) lines.push('<meta name="robots" content="noindex">');
  if (facts.canonical !== null) lines.push(link('canonical', facts.canonical));
  if (facts.url !== null && facts.isIndexed) {
    if (facts.alternates.length > 1) {
      for (const { language, url } of facts.alternates) {
        lines.push(link('alternate', url, `hreflang="${escapeHtml(language)}"`));
      }
      if (facts.defaultUrl !== null) lines.push(link('alternate', facts.defaultUrl, 'hreflang="x-default"'));
    }
    lines.push(...openGraph(site, facts, facts.url, description));
  }
  if (facts.markdown !== null) lines.push(link('alternate', facts.markdown, 'type="text/markdown"'));
  if (facts.feed !== null) {
    const title = escapeHtml(facts.feed.title);
    lines.push(link('alternate', facts.feed.href, `type="application/atom+xml" title="${title}"`));
  }
  if (structuredData !== '') lines.push(structuredData);
  return lines.join('\n');
}

/** Text shortened at a word for a description; search engines show about 155 characters. */
export function summarize(text: string, length = 155): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= length) return line;
  const cut = line.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
  const space = cut.lastIndexOf(' ');
  return `${(space > length / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.·、。，]+$/, '')}…`;
}

function openGraph(
  site: Pick<SiteView, 'title' | 'ogImage'>,
  { kind, title, language, image }: HeadFacts,
  url: string,
  description: string | null,
): readonly string[] {
  const lines = [
    meta('property', 'og:type', kind),
    meta('property', 'og:site_name', site.title),
    meta('property', 'og:title', title),
    meta('property', 'og:url', url),
    meta('property', 'og:locale', openGraphLocale(language)),
  ];
  if (description !== null) lines.push(meta('property', 'og:description', description));
  const shown = image ?? site.ogImage;
  if (shown !== null) {
    lines.push(meta('property', 'og:image', shown), meta('name', 'twitter:card', 'summary_large_image'));
  }
  return lines;
}

/** Cached: calling `Intl` for every page would take a tenth of the rendering time. */
const openGraphLocales = new Map<LanguageTag, string>();

/** OpenGraph requires `language_TERRITORY`. If the tag has no territory, the most likely one is used. */
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
