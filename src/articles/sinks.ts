import type { AnchorCheck } from '../anchor-check.ts';
import type { Feed } from '../feed/feed.ts';
import type { Media } from '../media/media.ts';
import type { Output } from '../output/output.ts';
import type { ArticleCache } from '../render/article-cache.ts';
import type { Site } from '../site/site.ts';
import type { LastArticles } from '../standing/last-articles.ts';
import type { NextArticles } from '../standing/next-articles.ts';

/** Where made articles go. */
export interface ArticleSinks {
  readonly site: Site;
  readonly feed: Feed;
  readonly anchors: AnchorCheck;
  readonly media: Media;
  readonly output: Output;
  /** Told how many articles are done. */
  readonly onArticle: (done: number) => void;
}

/** How articles are made. */
export interface RenderMeans {
  /** Threads beside this one. */
  readonly threads: number;
  /** What earlier runs made, if that is kept. */
  readonly cache: ArticleCache | null;
  /** What the last run published, where this one may repeat it. */
  readonly last: LastArticles | null;
  /** Takes what this run publishes. */
  readonly next: NextArticles;
}
