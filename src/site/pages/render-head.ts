import { oncePerKey } from '../../core/concurrency.ts';
import { escapeHtml } from '../../core/html.ts';
import type { LanguageTag } from '../../core/model.ts';
import type { PageChrome } from './page-chrome.ts';
import type { SiteView } from './views.ts';

/**
 * Meta and link elements of a page. Canonical, hreflang and OpenGraph require absolute URLs, so they are omitted if the site URL is
 * unknown.
 */
export function renderHead(
  site: SiteView,
  chrome: PageChrome,
  description: string | null,
  structuredData: string,
): string {
  const { head: facts } = chrome;
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
    lines.push(...openGraph(site, chrome, facts.url, description));
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
  const line = text
    .slice(0, 10 * length)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= length) return line;
  const cut = line.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
  const space = cut.lastIndexOf(' ');
  return `${(space > length / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.·、。，]+$/, '')}…`;
}

function openGraph(
  site: SiteView,
  { language, page: { title }, head: { kind } }: PageChrome,
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
  if (site.ogImage !== null) {
    lines.push(
      meta('property', 'og:image', site.ogImage),
      meta('name', 'twitter:card', 'summary_large_image'),
    );
  }
  return lines;
}

/** Cached: calling `Intl` for every page would take a tenth of the rendering time. */
const openGraphLocale = oncePerKey(findOpenGraphLocale);

/** OpenGraph requires `language_TERRITORY`. If the tag has no territory, the most likely one is used. */
function findOpenGraphLocale(tag: LanguageTag): string {
  const { language, region } = new Intl.Locale(tag).maximize();
  return region === undefined ? language : `${language}_${region}`;
}

function meta(attribute: 'name' | 'property', name: string, content: string): string {
  return `<meta ${attribute}="${name}" content="${escapeHtml(content)}">`;
}

function link(rel: string, href: string, rest = ''): string {
  return `<link rel="${rel}" href="${escapeHtml(href)}"${rest === '' ? '' : ` ${rest}`}>`;
}
