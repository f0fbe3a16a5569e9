import { createHash } from 'node:crypto';
import type {
  ArticlePage,
  CategoryNode,
  Plan,
  PlannedArticle,
  PlannedLanguage,
} from '../../../src/site/plan/plan.ts';

/** An article of a sample knowledge base: language → title and Markdown. */
export interface SampleArticle {
  readonly id: string;
  readonly categoryId?: string | null;
  readonly tags?: readonly string[];
  readonly updatedAt?: string | null;
  readonly slug?: string;
  /** Description of the article in all languages. */
  readonly description?: string;
  /** By language, if it has its own date. */
  readonly updatedAtOf?: Readonly<Record<string, string>>;
  /** Fingerprints of the call-outs of its bodies. */
  readonly blockFingerprints?: readonly string[];
  readonly pages: Readonly<Record<string, { readonly title: string; readonly markdown: string }>>;
}

/** A category, a parent before its children: language → title. */
interface SampleCategory {
  readonly id: string;
  readonly parentId?: string | null;
  readonly titles: Readonly<Record<string, string>>;
}

export interface SampleSite {
  readonly siteUrl?: string | null;
  readonly languages: readonly string[];
  readonly categories?: readonly SampleCategory[];
  readonly articles: readonly SampleArticle[];
}

/** The plan of a made-up knowledge base. */
export function samplePlan(site: SampleSite): Plan {
  const siteUrl = site.siteUrl === undefined ? 'https://help.example.com' : site.siteUrl;
  const sorted = [...site.articles].sort((a, b) => (a.id < b.id ? -1 : 1));
  const articles = new Map(sorted.map((article) => [article.id, plannedArticle(article, site, siteUrl)]));
  const languages = site.languages.map((tag) => plannedLanguage(tag, site, siteUrl, articles));
  return {
    siteUrl,
    basePath: '',
    siteTitle: 'Example help',
    defaultLanguage: site.languages[0] ?? 'en',
    languages,
    languageByTag: new Map(languages.map((language) => [language.tag, language])),
    articles,
    categoryPages: new Map(
      (site.categories ?? []).map(({ id }) => [
        id,
        new Map(
          languages.flatMap(({ tag, categoryById }) => {
            const page = categoryById.get(id)?.page;
            return page === undefined ? [] : [[tag, page] as const];
          }),
        ),
      ]),
    ),
    movedFallbacks: new Map(),
  };
}

function address(path: string, siteUrl: string | null) {
  const href = encodeURI(`/${path.replace(/index\.html$/, '')}`);
  return { path, href, url: `${siteUrl ?? ''}${href}` };
}

function plannedArticle(article: SampleArticle, site: SampleSite, siteUrl: string | null): PlannedArticle {
  const languages = site.languages.filter((tag) => article.pages[tag] !== undefined);
  const pages = new Map(
    languages.map((language): [string, ArticlePage] => {
      const path = `${language}/article/${article.id}-${article.slug ?? 'page'}/index.html`;
      return [
        language,
        {
          kind: 'article',
          articleId: article.id,
          language,
          title: article.pages[language]?.title ?? '',
          listTitle: article.pages[language]?.title ?? '',
          slug: null,
          sourcePath: null,
          aliases: [],
          fallbacks: [],
          file: null,
          description: article.description ?? null,
          updatedAt: article.updatedAtOf?.[language] ?? null,
          bodyHash: createHash('sha256')
            .update(article.pages[language]?.markdown ?? '')
            .digest('hex'),
          blockFingerprints: article.blockFingerprints ?? [],
          markdown: address(`${path}.md`, siteUrl),
          ...address(path, siteUrl),
        },
      ];
    }),
  );
  return {
    id: article.id,
    categoryId: article.categoryId ?? null,
    tags: article.tags ?? [],
    createdAt: null,
    updatedAt: article.updatedAt ?? null,
    isFeatured: false,
    sortOrder: null,
    showToc: true,
    isListed: true,
    replaces: {},
    sourceLanguage: languages[0] ?? 'en',
    pages,
  };
}

function plannedLanguage(
  tag: string,
  site: SampleSite,
  siteUrl: string | null,
  articles: ReadonlyMap<string, PlannedArticle>,
): PlannedLanguage {
  const categories = site.categories ?? [];
  const articleIds = [...articles.values()].filter(({ pages }) => pages.has(tag)).map(({ id }) => id);
  const categoryById = new Map<string, CategoryNode>();
  const idsIn = (categoryId: string | null) =>
    articleIds.filter((id) => articles.get(id)?.categoryId === categoryId);
  // Children follow their parents in the list, so building from the end finds all children complete.
  for (const category of [...categories].reverse()) {
    const titleLanguage = category.titles[tag] === undefined ? (site.languages[0] ?? 'en') : tag;
    const children = categories
      .filter(({ parentId }) => parentId === category.id)
      .flatMap(({ id }) => categoryById.get(id) ?? []);
    const own = idsIn(category.id);
    categoryById.set(category.id, {
      id: category.id,
      parentId: category.parentId ?? null,
      icon: null,
      depth: 0,
      page: {
        kind: 'category',
        categoryId: category.id,
        language: tag,
        title: category.titles[titleLanguage] ?? category.id,
        titleLanguage,
        description: null,
        ...address(`${tag}/category/${category.id}/index.html`, siteUrl),
      },
      children,
      articleIds: own,
      untranslatedIds: [],
      articleCount: own.length + children.reduce((sum, child) => sum + child.articleCount, 0),
    });
  }
  return {
    tag,
    dir: 'ltr',
    name: tag,
    siteTitle: 'Example help',
    home: { kind: 'home', language: tag, ...address(`${tag}/index.html`, siteUrl) },
    categories: categories
      .filter(({ parentId }) => (parentId ?? null) === null)
      .flatMap(({ id }) => categoryById.get(id) ?? []),
    categoryById,
    unassignedIds: idsIn(null),
    untranslatedUnassignedIds: [],
    articleIds,
  };
}
