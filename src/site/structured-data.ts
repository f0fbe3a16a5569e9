import type { LanguageTag } from '../foundation/model.ts';
import type { LinkView, SiteView } from './views.ts';

type GraphNode = Readonly<Record<string, unknown>>;

/** A page as schema.org describes it, without the parts that depend on its text. Plain data. */
export interface DescribedPage {
  readonly url: string;
  /** URL of the language's home page. */
  readonly home: string;
  readonly title: string;
  readonly language: LanguageTag;
  readonly kind: 'WebPage' | 'CollectionPage';
  /** Home first; empty on the home page. */
  readonly breadcrumbs: readonly LinkView[];
  readonly article: DescribedArticle | null;
}

/** An article as schema.org describes it. */
export interface DescribedArticle {
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly tags: readonly string[];
  /** URL of the article it was translated from; `null` if this is the original or the original has no page. */
  readonly original: string | null;
  /** URLs of its translations. */
  readonly translations: readonly string[];
}

/** The site as schema.org describes it. */
export interface DescribedSite {
  /** As in the plan. */
  readonly siteUrl: string | null;
  readonly site: Pick<SiteView, 'title' | 'publisher'>;
}

/**
 * A script element with one schema.org graph: site, page, breadcrumbs and article with its translations. Empty if the site URL is unknown,
 * because node ids are absolute URLs.
 */
export function renderStructuredData(
  { siteUrl, site: { title: siteTitle, publisher } }: DescribedSite,
  described: DescribedPage,
  description: string | null,
): string {
  if (siteUrl === null) return '';
  const { url, home, breadcrumbs, article } = described;
  const site: GraphNode = {
    '@type': 'WebSite',
    '@id': `${home}#website`,
    name: siteTitle,
    url: home,
    inLanguage: described.language,
    publisher: organization(siteUrl, publisher),
  };
  const webPage: GraphNode = {
    '@type': described.kind,
    '@id': url,
    url,
    name: described.title,
    ...(description === null ? {} : { description }),
    inLanguage: described.language,
    isPartOf: { '@id': `${home}#website` },
    ...(breadcrumbs.length === 0 ? {} : { breadcrumb: { '@id': `${url}#breadcrumbs` } }),
  };
  const graph = [
    site,
    webPage,
    ...(breadcrumbs.length === 0 ? [] : [breadcrumbList(siteUrl, described)]),
    ...(article === null
      ? []
      : [techArticle(article, described, description, { '@id': organizationId(siteUrl) })]),
  ];
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph });
  // "<" could end the element or start a comment; the escape has the same meaning in JSON.
  return `<script type="application/ld+json">${json.replaceAll('<', '\\u003c')}</script>`;
}

function organizationId(siteUrl: string): string {
  return `${siteUrl}/#organization`;
}

function organization(siteUrl: string, { name, url, logo }: SiteView['publisher']): GraphNode {
  return {
    '@type': 'Organization',
    '@id': organizationId(siteUrl),
    name,
    url: url ?? siteUrl,
    ...(logo === null ? {} : { logo }),
  };
}

function breadcrumbList(siteUrl: string, { url, title, breadcrumbs }: DescribedPage): GraphNode {
  const { origin } = new URL(siteUrl);
  const trail = [
    ...breadcrumbs.map((link) => ({ title: link.title, url: origin + link.href })),
    { title, url },
  ];
  return {
    '@type': 'BreadcrumbList',
    '@id': `${url}#breadcrumbs`,
    itemListElement: trail.map(({ title: name, url: item }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item,
    })),
  };
}

function techArticle(
  { createdAt, updatedAt, tags, original, translations }: DescribedArticle,
  { url, title, language }: DescribedPage,
  description: string | null,
  publisher: GraphNode,
): GraphNode {
  const reference = (page: string): GraphNode => ({ '@id': `${page}#article` });
  return {
    '@type': 'TechArticle',
    '@id': `${url}#article`,
    headline: title,
    ...(description === null ? {} : { description }),
    inLanguage: language,
    ...(createdAt === null ? {} : { datePublished: createdAt }),
    ...(updatedAt === null ? {} : { dateModified: updatedAt }),
    author: publisher,
    publisher,
    mainEntityOfPage: { '@id': url },
    ...(tags.length === 0 ? {} : { keywords: tags }),
    ...(translations.length === 0 ? {} : { workTranslation: translations.map(reference) }),
    ...(original === null ? {} : { translationOfWork: reference(original) }),
  };
}
