import type { ArticleText } from '../store/store.ts';

/**
 * URL path of an article, relative to the help centre; `/l/<language>` in front leads to a translation, on every Lectern site
 * too, whatever its URLs are.
 * @param language of a translation; `null` for the record's own language
 */
export function articlePath(articleId: string, slug: string, language: string | null): string {
  const prefix = language === null ? '' : `/l/${language}`;
  return `${prefix}/article/${articleId}${slug === '' ? '' : `-${encodeURIComponent(slug)}`}`;
}

/**
 * Adds the calculated URLs to the JSON text of an article.
 * @param siteUrl address of the public help centre without a trailing slash, or `''`.
 */
export function formatArticle(article: ArticleText, siteUrl: string): string {
  const path = articlePath(article.articleId, article.slug, null);
  return `${article.json.slice(0, -1)},"url":${JSON.stringify(siteUrl + path)},"relative_url":${JSON.stringify(path)}}`;
}
