import type { Article, ArticleTranslation, LanguageTag } from '../foundation/model.ts';
import { pageHref, type SiteRoot } from './address.ts';
import type { ArticlePage, PageAddress } from './plan.ts';

/**
 * A page that keeps its `href` alone and makes the rest of it and of the article when asked: a site has hundreds of
 * thousands of pages, and each of their addresses in full would cost more memory than all else that is planned.
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
