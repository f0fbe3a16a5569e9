import { escapeHtml } from '../foundation/html.ts';
import type { RenderedFile } from './assets.ts';
import { type LanguageContext, recentIds, type SiteContext } from './context.ts';

/** Readers fetch a feed often; older updates are in the sitemap. */
const maxEntries = 50;

/**
 * Atom feed (RFC 4287) of the latest updates in one language. `null` while the site's address is not known (a feed needs
 * absolute addresses) or where no article has a date (an entry must have one).
 */
export function renderAtom(context: SiteContext, language: LanguageContext): RenderedFile | null {
  const { plan } = context;
  const { tag, home } = language.planned;
  const recent = recentIds(plan, language.planned, maxEntries);
  const [newest] = recent;
  if (plan.siteUrl === null || newest === undefined) return null;
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
  return { path: feed.path, content: lines.join('\n') };
}
