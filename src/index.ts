/**
 * The library. Everything else of the package may change at any time.
 */

export { type ApplyFeedOptions, applyFeed } from './consumers/follow/apply-feed.ts';
export type {
  ChangedChunk,
  ChangedDocument,
  DeletedDocument,
  FeedFollower,
  FollowedFeed,
} from './consumers/follow/feed-follower.ts';
export type { ArticleCreate, ArticleRecord, ArticleUpdate } from './core/api/article.ts';
export type { CategoryCreate, CategoryRecord, CategoryUpdate } from './core/api/category.ts';
export type {
  ArticleViews,
  SearchAnswer,
  SearchQuery,
  SourcePage,
  StatisticsQuery,
} from './core/api/queries.ts';
export type { UserConfig } from './core/config/schema.ts';
export { defineConfig } from './core/config/schema.ts';
export { LecternError } from './core/errors.ts';
export type { BuildProgress, BuildReport, ReportedProblem } from './core/report.ts';
export type { ChunkRecord, DocumentRecord } from './feed/records/record-schemas.ts';
export { type BuildRunOptions, build } from './pipeline/library-build.ts';
export { type RunningService, type ServiceOptions, startService } from './service/start-service.ts';
export { createClient } from './source/api/client.ts';
export type { ArticleSink, Client, ClientOptions, ListFilter } from './source/api/client-types.ts';
