import type { Feed } from '../feed/feed.ts';
import type { ArticlePage, PlannedArticle } from '../plan/plan.ts';
import type { Site } from '../site/site.ts';
import type { ArticleOutline, PageOutline } from './article-task.ts';

/**
 * All that is published of one article, but for its bodies.
 * @param pages its pages, the source language first
 */
export async function outlineArticle(
  article: PlannedArticle,
  pages: readonly ArticlePage[],
  site: Pick<Site, 'describeArticle' | 'searchHead'>,
  feed: Pick<Feed, 'head'>,
): Promise<ArticleOutline> {
  const { id } = article;
  const outlines: PageOutline[] = [];
  for (const { language, markdown } of pages) {
    outlines.push({
      language,
      bodyHash: article.bodyHashes.get(language) ?? '',
      twinPath: markdown.path,
      search: site.searchHead(id, language),
      feed: await feed.head(id, language),
      heads: site.describeArticle(id, language),
    });
  }
  return { id, pages: outlines };
}
