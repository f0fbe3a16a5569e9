import type { PageChrome } from './page-chrome.ts';
import type { ArticleView, LanguageView, LinkView, SiteView } from './views.ts';

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
  readonly article: Pick<ArticleView['article'], 'createdAt' | 'updatedAt' | 'tags'> | null;
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
      ...(logoUrl === null ? {} : { logo: logoUrl }),
    },
  };
  const webPage: GraphNode = {
    '@type': kind,
    '@id': url,
    url,
    name: title,
    ...(description === null ? {} : { description }),
    inLanguage: language,
    isPartOf: { '@id': `${home}#website` },
    ...(breadcrumbs.length === 0 ? {} : { breadcrumb: { '@id': `${url}#breadcrumbs` } }),
    ...(items.length === 0 ? {} : { mainEntity: itemList(origin, items) }),
  };
  const trail = [
    ...breadcrumbs.map((link) => ({ title: link.title, url: origin + link.href })),
    { title, url },
  ];
  const breadcrumbList: GraphNode = {
    '@type': 'BreadcrumbList',
    '@id': `${url}#breadcrumbs`,
    itemListElement: trail.map(({ title: name, url: item }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item,
    })),
  };
  const graph = [
    site,
    webPage,
    ...(breadcrumbs.length === 0 ? [] : [breadcrumbList]),
    ...(article === null
      ? []
      : [
          {
            '@type': 'TechArticle',
            '@id': `${url}#article`,
            headline: title,
            ...(description === null ? {} : { description }),
            inLanguage: language,
            ...(article.createdAt === null ? {} : { datePublished: article.createdAt }),
            ...(article.updatedAt === null ? {} : { dateModified: article.updatedAt }),
            author,
            publisher: author,
            mainEntityOfPage: { '@id': url },
            ...(article.tags.length === 0 ? {} : { keywords: article.tags }),
            ...translations(head),
          },
        ]),
  ];
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph });
  // "<" could end the element or start a comment; the escape has the same meaning in JSON.
  return `<script type="application/ld+json">${json.replaceAll('<', '\\u003c')}</script>`;
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
