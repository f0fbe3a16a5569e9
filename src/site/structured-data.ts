import type { LanguageTag } from '../model.ts';
import type { ArticlePage, PageAddress, Plan, PlannedArticle } from '../plan/plan.ts';
import type { LinkView } from './views.ts';

type Node = Readonly<Record<string, unknown>>;

/** A page as schema.org sees it. */
export interface DescribedPage {
  readonly page: PageAddress;
  readonly title: string;
  readonly description: string | null;
  readonly language: LanguageTag;
  readonly kind: 'WebPage' | 'CollectionPage';
  /** Home first; empty on the home page. */
  readonly breadcrumbs: readonly LinkView[];
  readonly article: PlannedArticle | null;
}

/**
 * A script element with one schema.org graph: site, page, breadcrumbs and article, with its translations tied together.
 * Empty while the site's address is not known, because ids of nodes are absolute addresses.
 */
export function renderStructuredData(plan: Plan, described: DescribedPage): string {
  if (plan.siteUrl === null) return '';
  const { page, breadcrumbs, article } = described;
  const home = plan.languageByTag.get(described.language)?.home.url ?? `${plan.siteUrl}/`;
  const site: Node = {
    '@type': 'WebSite',
    '@id': `${home}#website`,
    name: plan.siteTitle,
    url: home,
    inLanguage: described.language,
  };
  const webPage: Node = {
    '@type': described.kind,
    '@id': page.url,
    url: page.url,
    name: described.title,
    ...(described.description === null ? {} : { description: described.description }),
    inLanguage: described.language,
    isPartOf: { '@id': `${home}#website` },
    ...(breadcrumbs.length === 0 ? {} : { breadcrumb: { '@id': `${page.url}#breadcrumbs` } }),
  };
  const graph = [
    site,
    webPage,
    ...(breadcrumbs.length === 0 ? [] : [breadcrumbList(plan.siteUrl, described)]),
    ...(article === null ? [] : [techArticle(article, described)]),
  ];
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph });
  // "<" could end the element or open a comment in it; the escape means the same in JSON.
  return `<script type="application/ld+json">${json.replaceAll('<', '\\u003c')}</script>`;
}

function breadcrumbList(siteUrl: string, { page, title, breadcrumbs }: DescribedPage): Node {
  const { origin } = new URL(siteUrl);
  const trail = [
    ...breadcrumbs.map((link) => ({ title: link.title, url: origin + link.href })),
    { title, url: page.url },
  ];
  return {
    '@type': 'BreadcrumbList',
    '@id': `${page.url}#breadcrumbs`,
    itemListElement: trail.map(({ title: name, url }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: url,
    })),
  };
}

function techArticle(article: PlannedArticle, { page, title, description, language }: DescribedPage): Node {
  const reference = ({ url }: ArticlePage): Node => ({ '@id': `${url}#article` });
  const original = article.pages.get(article.sourceLanguage);
  const translations = [...article.pages.values()].filter(
    (other) => other.language !== article.sourceLanguage,
  );
  return {
    '@type': 'TechArticle',
    '@id': `${page.url}#article`,
    headline: title,
    ...(description === null ? {} : { description }),
    inLanguage: language,
    ...(article.createdAt === null ? {} : { datePublished: article.createdAt }),
    ...(article.updatedAt === null ? {} : { dateModified: article.updatedAt }),
    mainEntityOfPage: { '@id': page.url },
    ...(article.tags.length === 0 ? {} : { keywords: article.tags }),
    ...(language === article.sourceLanguage
      ? translations.length === 0
        ? {}
        : { workTranslation: translations.map(reference) }
      : original === undefined
        ? {}
        : { translationOfWork: reference(original) }),
  };
}
