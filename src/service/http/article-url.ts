import type { ArticleText } from '../store/store.ts';

/** URL path of an article, relative to the help centre. */
export function articlePath(articleId: string, slug: string): string {
  return `/article/${articleId}${slug === '' ? '' : `-${slug}`}`;
}

/**
 * Adds the calculated URLs to the JSON text of an article.
 * @param siteUrl address of the public help centre without a trailing slash, or `''`.
 */
export function formatArticle(article: ArticleText, siteUrl: string): string {
  const path = articlePath(article.articleId, article.slug);
  return `${article.json.slice(0, -1)},"url":${JSON.stringify(siteUrl + path)},"relative_url":${JSON.stringify(path)}}`;
}
