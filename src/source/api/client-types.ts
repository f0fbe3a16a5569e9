import type { ArticleCreate, ArticleRecord, ArticleUpdate, ListQuery } from '../../core/api/article.ts';
import type { CategoryCreate, CategoryRecord, CategoryUpdate } from '../../core/api/category.ts';
import type {
  ArticleFeedback,
  ArticleViews,
  MissedSearch,
  ReaderFeedback,
  ReaderQuery,
  SearchAnswer,
  SearchMiss,
  SearchQuery,
  SourcePage,
  StatisticsQuery,
  ViewCount,
} from '../../core/api/queries.ts';
import type { NetworkSettings } from '../../core/config/source-settings.ts';
import type { HttpPorts } from '../../core/net/http.ts';

/** Filters of a list of articles. */
export type ListFilter = Omit<ListQuery, 'format'>;

export interface ClientOptions {
  /** URL of the API, ending in its version segment, e.g. `https://kb.example.com/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** PEM certificates to trust; absent: those that Node trusts. */
  readonly ca?: readonly string[] | null;
  /** Allows plain http to localhost. */
  readonly insecureLoopback?: boolean;
  /** Timeouts and retries; absent: the defaults of the configuration. */
  readonly network?: Partial<NetworkSettings>;
  /**
   * Replacements of clock, randomness and waiting, for tests; absent: the real ones.
   * @internal
   */
  readonly ports?: HttpPorts;
}

/**
 * Every operation of the knowledge-base API. Reads, changes and deletions are retried if the server is busy or the connection breaks; a
 * creation only if the server certainly did not perform it. All methods throw `LecternError` with the codes of `Http.request`, e.g.
 * UNAUTHORIZED, NOT_FOUND, REQUEST_REFUSED.
 */
export interface Client {
  /**
   * Articles of all statuses, in one response; without `include_body` they have no bodies.
   * @example await client.listArticles({ status: 'published', updated_at_after: '2026-01-01' })
   */
  listArticles(filter?: ListFilter): Promise<ArticleRecord[]>;
  /**
   * Every article with its bodies, one by one as they arrive. If the list has to be read again (`restart`), discard the articles so far.
   * After it resolves, the list is complete; otherwise it throws, also LISTING_INCOMPLETE.
   * @example await client.readEveryArticle({ restart: () => ids.clear(), take: (article) => ids.add(article.article_id) })
   */
  readEveryArticle(sink: ArticleSink): Promise<void>;
  /**
   * One article with its bodies.
   * @example const { title, body } = await client.readArticle('4fq8d7s2ka')
   */
  readArticle(articleId: string): Promise<ArticleRecord>;
  /**
   * Creates an article; a draft unless `is_published` is `true`.
   * @example await client.createArticle({ title: 'Hello', body: '<p>Hi</p>', is_published: true })
   */
  createArticle(article: ArticleCreate): Promise<ArticleRecord>;
  /**
   * Changes the given fields and, in `multilingual`, the given languages.
   * @example await client.updateArticle(id, { multilingual: [{ language_code: 'de', title: 'Hallo' }] })
   */
  updateArticle(articleId: string, change: ArticleUpdate, condition?: WriteCondition): Promise<ArticleRecord>;
  /**
   * Deletes an article.
   * @example await client.deleteArticle('4fq8d7s2ka')
   */
  deleteArticle(articleId: string, condition?: WriteCondition): Promise<void>;
  /**
   * All categories.
   * @example const categories = await client.listCategories()
   */
  listCategories(): Promise<CategoryRecord[]>;
  /**
   * One category.
   * @example const { title } = await client.readCategory('Oemcx1Uh3M')
   */
  readCategory(categoryId: string): Promise<CategoryRecord>;
  /**
   * Creates a category.
   * @example await client.createCategory({ title: 'First steps', description: 'Where to begin' })
   */
  createCategory(category: CategoryCreate): Promise<CategoryRecord>;
  /**
   * Changes the given fields and, in `multilingual`, the given languages.
   * @example await client.updateCategory(id, { title: 'Getting started' })
   */
  updateCategory(
    categoryId: string,
    change: CategoryUpdate,
    condition?: WriteCondition,
  ): Promise<CategoryRecord>;
  /**
   * ETag of a record that this client read, created or changed; `null` if the service sends none.
   * @example const article = await client.readArticle(id); await client.updateArticle(id, { title: 'Hi' }, { ifMatch:
   * client.etagOf(article) }); // CONFLICT if someone else changed it
   */
  etagOf(record: ArticleRecord | CategoryRecord): string | null;
  /**
   * Articles that match a text, best first.
   * @example const { articles, totalHits } = await client.search({ query: 'reset password', limit: 5 })
   */
  search(query: SearchQuery): Promise<SearchAnswer>;
  /**
   * Views per article in a timeframe, most viewed first.
   * @example await client.readStatistics({ start_date: '2026-01-01', end_date: '2026-01-31', language_code: 'de' })
   */
  readStatistics(query?: StatisticsQuery): Promise<ArticleViews[]>;
  /**
   * Adds views of an article; an extension of the embedded service.
   * @example await client.countViews('4fq8d7s2ka', { count: 3 })
   */
  countViews(articleId: string, views?: ViewCount): Promise<void>;
  /**
   * Searches in which readers found nothing, most frequent first; an extension of the embedded service.
   * @example const [first] = await client.readSearches({ language_code: 'en', limit: 10 })
   */
  readSearches(query?: ReaderQuery): Promise<MissedSearch[]>;
  /**
   * Counts a search without a result; an extension of the embedded service.
   * @example await client.countSearch({ query: 'refund', language: 'en' })
   */
  countSearch(miss: SearchMiss): Promise<void>;
  /**
   * Which articles helped readers, and what they wrote, least helpful first; an extension of the embedded service.
   * @example const feedback = await client.readFeedback({ start_date: '2026-01-01' })
   */
  readFeedback(query?: ReaderQuery): Promise<ArticleFeedback[]>;
  /**
   * Counts the answer of a reader; an extension of the embedded service.
   * @example await client.countFeedback({ article: '4fq8d7s2ka', language: 'en', helpful: 'yes' })
   */
  countFeedback(feedback: ReaderFeedback): Promise<void>;
  /**
   * The chatbot source page: all public articles as plain text.
   * @example const { articles } = await client.readSourcePage({ language_code: 'en' })
   */
  readSourcePage(query?: Pick<ListQuery, 'language_code'>): Promise<SourcePage>;
  /** Frees the connections. */
  close(): Promise<void>;
}

/** Condition for a change. */
export interface WriteCondition {
  /** The change is made only if the record still has this ETag; otherwise CONFLICT is thrown. `null`: always. */
  readonly ifMatch?: string | null;
}

/** Takes articles as they arrive. */
export interface ArticleSink {
  readonly restart: () => void;
  readonly take: (article: ArticleRecord) => void;
}
