import type { Article, ArticleTranslation, LanguageTag } from '../foundation/model.ts';
import { pageHref, type SiteRoot } from './page-url.ts';
import type { ArticlePage, PageAddress, PlannedArticle } from './plan.ts';

/** Creates the plan of an article, in addition to the article itself. @param pages in the order of its translations */
export function createPlannedArticle(
  article: Article,
  sourceLanguage: LanguageTag,
  pages: readonly PlannedPage[],
): PlannedArticle {
  return new PlannedRecord(article, sourceLanguage, new PageMap(pages));
}

class PlannedRecord implements PlannedArticle {
  readonly sourceLanguage: LanguageTag;
  readonly pages: PageMap;
  private readonly article: Article;

  constructor(article: Article, sourceLanguage: LanguageTag, pages: PageMap) {
    this.article = article;
    this.sourceLanguage = sourceLanguage;
    this.pages = pages;
  }

  get id(): string {
    return this.article.id;
  }

  get categoryId(): string | null {
    return this.article.categoryId;
  }

  get tags(): readonly string[] {
    return this.article.tags;
  }

  get createdAt(): string | null {
    return this.article.createdAt;
  }

  get updatedAt(): string | null {
    return this.article.updatedAt;
  }

  get isFeatured(): boolean {
    return this.article.isFeatured;
  }

  get showToc(): boolean {
    return this.article.showToc;
  }

  get bodyHashes(): ReadonlyMap<LanguageTag, string> {
    return new Map(this.pages.list.map(({ translation }) => [translation.language, translation.bodyHash]));
  }
}

/** Pages by language. For a few pages, a `Map` takes three times the memory and is not faster. */
class PageMap implements ReadonlyMap<LanguageTag, ArticlePage> {
  readonly list: readonly PlannedPage[];

  constructor(list: readonly PlannedPage[]) {
    this.list = list;
  }

  get size(): number {
    return this.list.length;
  }

  get(language: LanguageTag): ArticlePage | undefined {
    return this.list.find((page) => page.language === language);
  }

  has(language: LanguageTag): boolean {
    return this.get(language) !== undefined;
  }

  keys(): MapIterator<LanguageTag> {
    return this.list.map(({ language }) => language).values();
  }

  values(): MapIterator<ArticlePage> {
    return this.list.values();
  }

  entries(): MapIterator<[LanguageTag, ArticlePage]> {
    return this.list.map((page): [LanguageTag, ArticlePage] => [page.language, page]).values();
  }

  [Symbol.iterator](): MapIterator<[LanguageTag, ArticlePage]> {
    return this.entries();
  }

  forEach(act: (page: ArticlePage, language: LanguageTag, map: this) => void): void {
    for (const page of this.list) act(page, page.language, this);
  }
}

/** The languages of an article, the source language first, because the others use its heading ids. */
export function sourceFirst(article: PlannedArticle): readonly ArticlePage[] {
  const source = article.pages.get(article.sourceLanguage);
  const others = [...article.pages.values()].filter((page) => page !== source);
  return source === undefined ? others : [source, ...others];
}

/**
 * A page that stores only its `href` and computes everything else on demand: a site has hundreds of thousands of pages, and their full URLs
 * would need more memory than the rest of the plan.
 */
export class PlannedPage implements ArticlePage {
  readonly href: string;
  readonly translation: ArticleTranslation;
  private readonly article: Article;
  private readonly root: SiteRoot;

  constructor(root: SiteRoot, article: Article, translation: ArticleTranslation, path: string) {
    this.root = root;
    this.article = article;
    this.translation = translation;
    this.href = pageHref(root, path);
  }

  get kind(): 'article' {
    return 'article';
  }

  get articleId(): string {
    return this.article.id;
  }

  get language(): LanguageTag {
    return this.translation.language;
  }

  get title(): string {
    return this.translation.title;
  }

  get description(): string | null {
    return this.translation.description;
  }

  get updatedAt(): string | null {
    return this.translation.updatedAt;
  }

  get callouts(): readonly string[] {
    return this.translation.callouts;
  }

  get path(): string {
    const path = decodeURIComponent(this.href.slice(this.root.basePath.length + 1));
    return path === '' || path.endsWith('/') ? `${path}index.html` : path;
  }

  get url(): string {
    return this.urlOf(this.href);
  }

  get markdown(): PageAddress {
    const href = `${this.href}${this.href.endsWith('/') ? 'index.html' : ''}.md`;
    return { path: `${this.path}.md`, href, url: this.urlOf(href) };
  }

  private urlOf(href: string): string {
    const { siteUrl, basePath } = this.root;
    return siteUrl === null ? href : siteUrl + href.slice(basePath.length);
  }
}
