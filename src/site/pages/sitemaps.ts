import { escapeHtml } from '../../core/html.ts';
import type { LanguageTag } from '../../core/model.ts';
import { fileAddress, homeAddress } from '../plan/page-url.ts';
import type { PageAddress, Plan } from '../plan/plan.ts';
import type { RenderedFile } from './assets.ts';
import type { LanguageContext, SiteContext } from './context.ts';
import { languageAddresses } from './create-context.ts';

/** Limits of a file in the sitemap protocol (sitemaps.org), with room for the closing lines. */
const protocolLimits = { maxUrls: 50_000, maxBytes: 50 * 1024 * 1024 - 1024 };

const open = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** One page in a sitemap. */
interface SitemapEntry {
  readonly url: string;
  /** ISO 8601, or `null` if unknown: an invented time would make search engines ignore all of them. */
  readonly lastModified: string | null;
}

/**
 * `sitemap.xml` (an index) and `sitemaps/<lang>.xml`, in several files if a language has too many pages for one. None if the site URL is
 * unknown, because sitemaps require absolute URLs. hreflang is only in the pages: repeating it here could only cause contradictions.
 */
export function* renderSitemaps(plan: Plan, limits = protocolLimits): Generator<RenderedFile> {
  if (plan.siteUrl === null) return;
  const files: { readonly page: PageAddress; readonly lastModified: string | null }[] = [];
  for (const { tag } of plan.languages) {
    let part = 1;
    for (const { content, lastModified } of splitEntries(entriesOf(plan, tag), limits)) {
      const page = fileAddress(plan, `sitemaps/${tag}${part === 1 ? '' : `.${part}`}.xml`);
      files.push({ page, lastModified });
      part += 1;
      yield { path: page.path, content };
    }
  }
  const lines = files.map(
    ({ page, lastModified }) =>
      `<sitemap><loc>${escapeHtml(page.url)}</loc>${lastmod(lastModified)}</sitemap>\n`,
  );
  yield {
    path: 'sitemap.xml',
    content: `${open}<sitemapindex ${namespace}>\n${lines.join('')}</sitemapindex>\n`,
  };
}

function* entriesOf(plan: Plan, tag: LanguageTag): Generator<SitemapEntry> {
  const language = plan.languageByTag.get(tag);
  if (language === undefined) return;
  if (language.home.articleId === null) yield { url: homeAddress(plan, language).url, lastModified: null };
  yield { url: languageAddresses(plan, language).index.url, lastModified: null };
  for (const pages of plan.categoryPages.values()) {
    const page = pages.get(tag);
    if (page !== undefined) yield { url: page.url, lastModified: null };
  }
  for (const id of language.articleIds) {
    const article = plan.articles.get(id);
    const page = article?.pages.get(tag);
    if (page !== undefined)
      yield { url: page.url, lastModified: page.updatedAt ?? article?.updatedAt ?? null };
  }
}

function* splitEntries(
  entries: Iterable<SitemapEntry>,
  limits: typeof protocolLimits,
): Generator<{ readonly content: string; readonly lastModified: string | null }> {
  let lines: string[] = [];
  let bytes = 0;
  let newest: string | null = null;
  const finish = () => ({
    content: `${open}<urlset ${namespace}>\n${lines.join('')}</urlset>\n`,
    lastModified: newest,
  });
  for (const { url, lastModified } of entries) {
    const line = `<url><loc>${escapeHtml(url)}</loc>${lastmod(lastModified)}</url>\n`;
    const size = Buffer.byteLength(line);
    if (lines.length > 0 && (lines.length === limits.maxUrls || bytes + size > limits.maxBytes)) {
      yield finish();
      [lines, bytes, newest] = [[], 0, null];
    }
    lines.push(line);
    bytes += size;
    if (lastModified !== null && (newest === null || lastModified > newest)) newest = lastModified;
  }
  if (lines.length > 0) yield finish();
}

function lastmod(iso: string | null): string {
  return iso === null ? '' : `<lastmod>${escapeHtml(iso)}</lastmod>`;
}

/**
 * `robots.txt`: allows everything; names the sitemap if there is one. Pages with `noindex` are allowed, too, because a crawler that must
 * not read a page does not see it, and may list the URL.
 */
export function renderRobots({ plan, noindex }: Pick<SiteContext, 'plan' | 'noindex'>): RenderedFile {
  const sitemap = plan.siteUrl === null || noindex ? '' : `\nSitemap: ${plan.siteUrl}/sitemap.xml\n`;
  return { path: 'robots.txt', content: `User-agent: *\nAllow: /\n${sitemap}` };
}

/**
 * Atom feed (RFC 4287) of the latest updates in one language. None if the site URL is unknown (a feed needs absolute URLs) or no article has a
 * date (an entry must have one).
 */
export function* renderAtom(context: SiteContext, language: LanguageContext): Generator<RenderedFile> {
  const { plan } = context;
  const { tag, home } = language.planned;
  const { recent } = language;
  const [newest] = recent;
  if (plan.siteUrl === null || newest === undefined) return;
  const { feed } = language.addresses;
  const entries = recent.map(({ id, updatedAt }) => {
    const article = plan.articles.get(id);
    const page = article?.pages.get(tag);
    if (page === undefined) return '';
    return [
      '<entry>',
      `<id>${escapeHtml(page.url)}</id>`,
      `<title>${escapeHtml(page.title)}</title>`,
      `<link href="${escapeHtml(page.url)}"/>`,
      `<updated>${escapeHtml(updatedAt)}</updated>`,
      ...(article?.createdAt ? [`<published>${escapeHtml(article.createdAt)}</published>`] : []),
      ...(page.description === null ? [] : [`<summary>${escapeHtml(page.description)}</summary>`]),
      '</entry>',
    ].join('\n');
  });
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapeHtml(tag)}">`,
    `<id>${escapeHtml(home.url)}</id>`,
    `<title>${escapeHtml(language.planned.siteTitle)}</title>`,
    `<link rel="self" href="${escapeHtml(feed.url)}"/>`,
    `<link href="${escapeHtml(home.url)}"/>`,
    `<updated>${escapeHtml(newest.updatedAt)}</updated>`,
    `<author><name>${escapeHtml(language.planned.siteTitle)}</name></author>`,
    ...entries,
    '</feed>',
    '',
  ];
  yield { path: feed.path, content: lines.join('\n') };
}
