import type { PageChrome } from './page-chrome.ts';
import type { ArticleView, LanguageView, LinkView, SiteView } from './views.ts';

/** A node of the graph; fields that are `undefined` are not written. */
type GraphNode = Readonly<Record<string, unknown>>;

/** Structured data of a page (schema.org), besides what its chrome contains. */
export interface PageSchema {
  readonly kind: 'WebPage' | 'CollectionPage';
  /** Home first; empty on the home page. */
  readonly breadcrumbs: readonly LinkView[];
  readonly description: string | null;
  /** What the page lists, in its order; empty if it is no list. */
  readonly items?: readonly LinkView[];
  /** The article that the page shows, if any. */
  readonly article?: Pick<ArticleView['article'], 'createdAt' | 'updatedAt' | 'tags'>;
}

/**
 * A script element with one schema.org graph: site, page, breadcrumbs and article with its translations. Empty if the site URL is unknown,
 * because node ids are absolute URLs.
 */
export function renderStructuredData(
  siteUrl: string | null,
  { title: siteTitle, logoUrl }: SiteView,
  { home: homePath }: LanguageView,
  { language, page: { title }, head }: PageChrome,
  { kind, breadcrumbs, description, items = [], article }: PageSchema,
): string {
  const { url } = head;
  if (siteUrl === null || url === null) return '';
  const { origin } = new URL(siteUrl);
  const home = origin + homePath;
  const author = { '@id': `${siteUrl}/#organization` };
  const site: GraphNode = {
    '@type': 'WebSite',
    '@id': `${home}#website`,
    name: siteTitle,
    url: home,
    inLanguage: language,
    publisher: {
      '@type': 'Organization',
      ...author,
      name: siteTitle,
      url: siteUrl,
      logo: logoUrl ?? undefined,
    },
  };
  const webPage: GraphNode = {
    '@type': kind,
    '@id': url,
    url,
    name: title,
    description: description ?? undefined,
    inLanguage: language,
    isPartOf: { '@id': `${home}#website` },
    breadcrumb: breadcrumbs.length === 0 ? undefined : { '@id': `${url}#breadcrumbs` },
    mainEntity: items.length === 0 ? undefined : itemList(origin, items),
  };
  const graph = [site, webPage];
  if (breadcrumbs.length > 0) {
    const trail = breadcrumbs.map((link, at) => listItem(at, link.title, origin + link.href));
    graph.push({
      '@type': 'BreadcrumbList',
      '@id': `${url}#breadcrumbs`,
      itemListElement: [...trail, listItem(trail.length, title, url)],
    });
  }
  if (article !== undefined)
    graph.push({
      '@type': 'TechArticle',
      '@id': `${url}#article`,
      headline: title,
      description: description ?? undefined,
      inLanguage: language,
      datePublished: article.createdAt ?? undefined,
      dateModified: article.updatedAt ?? undefined,
      author,
      publisher: author,
      mainEntityOfPage: { '@id': url },
      keywords: article.tags.length === 0 ? undefined : article.tags,
      ...translations(head),
    });
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph });
  // "<" could end the element or start a comment; the escape has the same meaning in JSON.
  return `<script type="application/ld+json">${json.replaceAll('<', '\\u003c')}</script>`;
}

function listItem(index: number, name: string, item: string): GraphNode {
  return { '@type': 'ListItem', position: index + 1, name, item };
}

/** More entries of a list than search engines show; the pages of long categories stay small. */
const maxItems = 50;

function itemList(origin: string, items: readonly LinkView[]): GraphNode {
  return {
    '@type': 'ItemList',
    numberOfItems: items.length,
    itemListElement: items.slice(0, maxItems).map(({ href }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      url: origin + href,
    })),
  };
}

/** The translations of an original, or the original of a translation if it has a page. */
function translations({ url, alternates, defaultUrl }: PageChrome['head']): GraphNode {
  const reference = (page: string): GraphNode => ({ '@id': `${page}#article` });
  if (url !== defaultUrl) return defaultUrl === null ? {} : { translationOfWork: reference(defaultUrl) };
  const others = alternates.filter((other) => other.url !== url).map((other) => reference(other.url));
  return others.length === 0 ? {} : { workTranslation: others };
}
