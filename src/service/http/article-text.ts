import type { ArticleText } from '../store/store.ts';

/** The calculated address of an article, relative to the help centre. */
export function articlePath(articleId: string, slug: string): string {
  return `/article/${articleId}${slug === '' ? '' : `-${slug}`}`;
}

/**
 * Finishes the JSON text of an article with the calculated addresses.
 * @param siteUrl address of the public help centre without a trailing slash, or `''`.
 */
export function printArticle(article: ArticleText, siteUrl: string): string {
  const path = articlePath(article.articleId, article.slug);
  return `${article.json.slice(0, -1)},"url":${JSON.stringify(siteUrl + path)},"relative_url":${JSON.stringify(path)}}`;
}
