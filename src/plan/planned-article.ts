import type { Article, ArticleTranslation, LanguageTag } from '../foundation/model.ts';
import { packFields, readField } from '../foundation/packed-fields.ts';
import type { StoredList } from '../foundation/stored-map.ts';
import { pageHref, type SiteRoot } from './page-url.ts';
import type { ArticlePage, PageAddress, PlannedArticle } from './plan.ts';

/** Data that the plans of all articles share. */
export interface PlannedPages {
  readonly root: SiteRoot;
  /** What links show of each page, packed, so that a link needs one read: `href`, title, description. */
  readonly links: StoredList;
}

/**
 * Creates the plan of an article, in addition to the article itself. It stores only a link to each page and computes everything else on
 * demand: a site has hundreds of thousands of pages.
 * @param languages of its pages, in the order of its translations
 * @param paths of its pages, in the order of the languages
 */
export function createPlannedArticle(
  shared: PlannedPages,
  article: Article,
  sourceLanguage: LanguageTag,
  languages: readonly LanguageTag[],
  paths: readonly string[],
): PlannedArticle {
  const links: string[] = [];
  for (const { language, title, description } of article.translations) {
    if (language !== languages[links.length]) continue;
    links.push(packFields([pageHref(shared.root, paths[links.length] as string), title, description]));
  }
  const index = shared.links.addAll(links);
  return new PlannedRecord(shared, article, sourceLanguage, languages, index);
}

class PlannedRecord implements PlannedArticle {
  readonly sourceLanguage: LanguageTag;
  private readonly shared: PlannedPages;
  private readonly article: Article;
  private readonly languages: readonly LanguageTag[];
  /** Of the link to its first page; the others follow in the order of the languages. */
  private readonly index: number;

  constructor(
    shared: PlannedPages,
    article: Article,
    sourceLanguage: LanguageTag,
    languages: readonly LanguageTag[],
    index: number,
  ) {
    this.shared = shared;
    this.article = article;
    this.sourceLanguage = sourceLanguage;
    this.languages = languages;
    this.index = index;
  }

  get pages(): ReadonlyMap<LanguageTag, PlannedPage> {
    return new PageMap(this.shared, this.article, this.languages, this.index);
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
    return new Map(Array.from(this.pages.values(), ({ language, bodyHash }) => [language, bodyHash]));
  }
}

/** Makes each page when it is asked for. */
class PageMap implements ReadonlyMap<LanguageTag, PlannedPage> {
  private readonly shared: PlannedPages;
  private readonly article: Article;
  private readonly languages: readonly LanguageTag[];
  private readonly index: number;

  constructor(shared: PlannedPages, article: Article, languages: readonly LanguageTag[], index: number) {
    this.shared = shared;
    this.article = article;
    this.languages = languages;
    this.index = index;
  }

  get size(): number {
    return this.languages.length;
  }

  has(language: LanguageTag): boolean {
    return this.languages.includes(language);
  }

  get(language: LanguageTag): PlannedPage | undefined {
    const at = this.languages.indexOf(language);
    const translation =
      at < 0 ? undefined : this.article.translations.find((one) => one.language === language);
    return translation && this.pageAt(at, translation);
  }

  keys(): MapIterator<LanguageTag> {
    return this.languages.values();
  }

  values(): MapIterator<PlannedPage> {
    const pages: PlannedPage[] = [];
    for (const translation of this.article.translations) {
      if (translation.language === this.languages[pages.length]) {
        pages.push(this.pageAt(pages.length, translation));
      }
    }
    return pages.values();
  }

  entries(): MapIterator<[LanguageTag, PlannedPage]> {
    return Array.from(this.values(), (page): [LanguageTag, PlannedPage] => [page.language, page]).values();
  }

  [Symbol.iterator](): MapIterator<[LanguageTag, PlannedPage]> {
    return this.entries();
  }

  forEach(act: (page: PlannedPage, language: LanguageTag, map: this) => void): void {
    for (const page of this.values()) act(page, page.language, this);
  }

  private pageAt(at: number, translation: ArticleTranslation): PlannedPage {
    return new PlannedPage(this.shared, this.article.id, translation, this.index + at);
  }
}

/** The languages of an article, the source language first, because the others use its heading ids. */
export function sourceFirst(article: PlannedArticle): readonly ArticlePage[] {
  const source = article.pages.get(article.sourceLanguage);
  const others = [...article.pages.values()].filter(({ language }) => language !== article.sourceLanguage);
  return source === undefined ? others : [source, ...others];
}

/** Reads or computes everything on demand. */
class PlannedPage implements ArticlePage {
  readonly articleId: string;
  private readonly translation: ArticleTranslation;
  private readonly shared: PlannedPages;
  /** Of its link. */
  private readonly index: number;

  constructor(shared: PlannedPages, articleId: string, translation: ArticleTranslation, index: number) {
    this.shared = shared;
    this.articleId = articleId;
    this.translation = translation;
    this.index = index;
  }

  get kind(): 'article' {
    return 'article';
  }

  get language(): LanguageTag {
    return this.translation.language;
  }

  get title(): string {
    return this.readLink(1) as string;
  }

  get description(): string | null {
    return this.readLink(2);
  }

  get updatedAt(): string | null {
    return this.translation.updatedAt;
  }

  get callouts(): readonly string[] {
    return this.translation.callouts;
  }

  get bodyHash(): string {
    return this.translation.bodyHash;
  }

  get href(): string {
    return this.readLink(0) as string;
  }

  get path(): string {
    const path = decodeURIComponent(this.href.slice(this.shared.root.basePath.length + 1));
    return path === '' || path.endsWith('/') ? `${path}index.html` : path;
  }

  get url(): string {
    return this.urlOf(this.href);
  }

  get markdown(): PageAddress {
    const own = this.href;
    const href = `${own}${own.endsWith('/') ? 'index.html' : ''}.md`;
    return { path: `${this.path}.md`, href, url: this.urlOf(href) };
  }

  private readLink(field: number): string | null {
    return readField(this.shared.links.get(this.index), field);
  }

  private urlOf(href: string): string {
    const { siteUrl, basePath } = this.shared.root;
    return siteUrl === null ? href : siteUrl + href.slice(basePath.length);
  }
}
