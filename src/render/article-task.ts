import type { FeedHead } from '../feed/feed-head.ts';
import type { MediaTable } from '../media/media-table.ts';
import type { LanguageTag } from '../model.ts';
import type { ArticleHead } from '../site/describe-article.ts';
import type { SearchHead } from '../site/search/search-entry.ts';

/** All that is published of one article, but for its bodies. Plain data: it crosses threads and names cache entries. */
export interface ArticleOutline {
  readonly id: string;
  /** The source language first, so that its heading ids are known to the translations. */
  readonly pages: readonly PageOutline[];
}

/** One article in one language. */
export interface PageOutline {
  readonly language: LanguageTag;
  /** SHA-256 of the body, hex. */
  readonly bodyHash: string;
  /** Where the Markdown twin lies. */
  readonly twinPath: string;
  readonly search: SearchHead;
  readonly feed: FeedHead;
  /** The page itself, then the pages that stand in for it in other languages. */
  readonly heads: readonly ArticleHead[];
}

/** One article on its way through content, site and feed. Plain data. */
export interface ArticleTask extends ArticleOutline {
  /** HTML as the author wrote it, in the order of the pages. */
  readonly bodies: readonly string[];
  /** Images and files of the bodies that are re-hosted; `null`: there is nothing that could be. */
  readonly media: MediaTable | null;
}
