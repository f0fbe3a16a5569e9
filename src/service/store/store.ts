import { createHash } from 'node:crypto';
import type { ArticleCreate, ArticleStatus, ArticleUpdate } from '../../api/article.ts';
import type { CategoryCreate, CategoryUpdate } from '../../api/category.ts';

/**
 * The database cannot work now: another process holds its lock (`locked`), there is no space left (`full`), it does not answer (`unreachable`), or its
 * search index cannot be made (`unindexed`).
 */
export class StoreUnavailable extends Error {
  readonly reason: 'locked' | 'full' | 'unreachable' | 'unindexed';

  constructor(reason: StoreUnavailable['reason'], cause: unknown) {
    super(`the database is ${reason}`, { cause });
    this.name = 'StoreUnavailable';
    this.reason = reason;
  }
}

/** The tags of which a record must have one for a write to be carried out; `undefined`: any. */
export type Expected = { readonly tags: readonly string[]; readonly context: string } | undefined;

/**
 * Names one state of a record: the ETag of the answers that contain it.
 * @param json the stored record
 * @param context what these answers depend on besides the record
 */
export function recordTag(json: string, context: string): string {
  return createHash('sha256').update(context).update('\n').update(json).digest('base64url');
}

/** Whether a stored record is the one that a write expects. */
export function isExpected(json: string, expected: Expected): boolean {
  return expected === undefined || expected.tags.includes(recordTag(json, expected.context));
}

/** What became of the change of a record: the record as it is now, or why nothing was changed. */
export type Changed<T> =
  | { readonly outcome: 'done'; readonly record: T }
  | { readonly outcome: 'not_found' | 'precondition_failed' };

/**
 * The database behind one interface: SQLite, or another one.
 * Records are returned as JSON text: a list of ten thousand bodies is never parsed only to be serialised again.
 * Every write is one transaction, checks of {@link Expected} included, and on disk when its promise is fulfilled. A read sees every
 * write that was fulfilled before it. Every function can reject with {@link StoreUnavailable}.
 */
export interface Store {
  /** Ten letters or digits, made once per data file. */
  readonly accountId: string;
  isEmpty(): Promise<boolean>;
  /** Whether a search need not wait for an index. Rejects where records cannot be read. */
  isReady(): Promise<boolean>;
  /** Changes with every write to a record, by whatever process. */
  revision(): Promise<string>;
  /**
   * One page of a list, in the order the articles were created; ask again with `after` for the next. It is shorter than `limit` at the
   * end of the list, and where it reaches `maxBytes`: the article that reaches `maxBytes` is the last.
   */
  listArticles(filter: ArticleFilter, page: ArticlePageRequest): Promise<readonly ArticleText[]>;
  readArticle(articleId: string): Promise<ArticleText | null>;
  /** Whether an article that was read before is still the same: quicker than reading it again. */
  isCurrent(article: ArticleState): Promise<boolean>;
  /** Returns `null` if the id of the input is taken. */
  createArticle(input: ArticleCreate): Promise<ArticleText | null>;
  /** Rejects with `TooManyTranslations`. */
  updateArticle(articleId: string, change: ArticleUpdate, expected: Expected): Promise<Changed<ArticleText>>;
  deleteArticle(articleId: string, expected: Expected): Promise<Changed<null>>;
  listCategories(): Promise<readonly string[]>;
  readCategory(categoryId: string): Promise<string | null>;
  /** Returns `null` if the id of the input is taken. */
  createCategory(input: CategoryCreate): Promise<string | null>;
  /** Rejects with `TooManyTranslations`. */
  updateCategory(categoryId: string, change: CategoryUpdate, expected: Expected): Promise<Changed<string>>;
  search(request: SearchRequest): Promise<SearchResult>;
  /** Public language versions as plain text, a page at a time: what a chatbot may read. */
  listSources(page: SourcePageRequest): Promise<readonly SourceText[]>;
  /** Adds views of one day; `false` when there is no such article. */
  countViews(articleId: string, day: string, count: number): Promise<boolean>;
  /** Most viewed first; articles without views are absent. */
  listTopArticles(request: TopArticlesRequest): Promise<readonly TopArticleRow[]>;
  /**
   * Fills an empty store in one transaction; if several processes try at the same time, one of them does. Returns the ids of records
   * that were skipped because their id was taken, or `null` if the store is not empty.
   */
  fill(records: Records): Promise<readonly string[] | null>;
  createKey(key: NewKey): Promise<void>;
  listKeys(): Promise<readonly StoredKey[]>;
  readKey(keyId: string): Promise<StoredKey | null>;
  /** `false` when there is no such key in use. */
  revokeKey(keyId: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Filters of a list of articles; an absent one does not filter. */
export interface ArticleFilter {
  readonly categoryId?: string | undefined;
  readonly tag?: string | undefined;
  readonly status?: ArticleStatus | undefined;
  /** Articles that exist in this language. */
  readonly language?: string | undefined;
  readonly permissionGroupId?: string | undefined;
  /** ISO 8601 in UTC with milliseconds; both bounds are exclusive. */
  readonly updatedBefore?: string | undefined;
  readonly updatedAfter?: string | undefined;
}

export interface ArticlePageRequest {
  readonly includeBody: boolean;
  /** Position after which the page starts; 0 for the first page. */
  readonly after: number;
  readonly skip: number;
  readonly limit: number;
  /** Of the JSON texts in UTF-8. */
  readonly maxBytes: number;
}

/** Names one state of an article: every change sets a later moment, and no other article ever gets its position. */
export interface ArticleState {
  readonly position: number;
  readonly articleId: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly updatedAt: string;
}

/** An article as JSON text without `url` and `relative_url`, which depend on where the service runs. */
export interface ArticleText extends ArticleState {
  readonly slug: string;
  readonly json: string;
}

export interface SearchRequest {
  /** As typed; any text. */
  readonly text: string;
  readonly limit: number;
  /** Only this language; absent: the language in which an article matches best. */
  readonly language?: string | undefined;
  /** Also private and restricted articles. */
  readonly includePrivate: boolean;
  /** Also drafts, and translations that are not live. */
  readonly includeDraft: boolean;
}

export interface FoundVersion {
  readonly articleId: string;
  /** Language of title, slug, description and snippet. */
  readonly language: string;
  readonly title: string;
  readonly slug: string;
  readonly description: string | null;
  /** HTML whose only element is `<mark>`. */
  readonly snippet: string;
  /** Larger is better; comparable within one answer only. */
  readonly score: number;
  /** The record without bodies, as JSON text. */
  readonly meta: string;
}

export interface SearchResult {
  readonly hits: readonly FoundVersion[];
  /** Articles found, however many are given. */
  readonly total: number;
  /** The words searched for, folded. */
  readonly words: readonly string[];
  /** The text was longer than what is searched for. */
  readonly isTruncated: boolean;
}

export interface SourcePageRequest {
  readonly language?: string | undefined;
  /** The text after which the page starts; `null` for the first page. */
  readonly after: Pick<SourceText, 'position' | 'storedLanguage'> | null;
  readonly limit: number;
}

/** One public article in one language. */
export interface SourceText {
  readonly position: number;
  /** The store's own name of the language; for `after` only. */
  readonly storedLanguage: string;
  readonly articleId: string;
  readonly categoryId: string | null;
  readonly language: string;
  readonly title: string;
  readonly slug: string;
  /** The record without bodies, as JSON text. */
  readonly meta: string;
  readonly updatedAt: string;
  /** Plain text, one block per line. */
  readonly text: string;
}

export interface TopArticlesRequest {
  /** Days as `2026-01-31`, both inclusive. */
  readonly from: string;
  readonly to: string;
  readonly limit: number;
  readonly categoryId?: string | undefined;
  /** Language of the titles; where an article has none in it, its own title. */
  readonly language?: string | undefined;
}

export interface TopArticleRow {
  readonly article_id: string;
  readonly count: number;
  readonly title: string;
}

/** A knowledge base to start from. */
export interface Records {
  readonly articles: readonly ArticleCreate[];
  readonly categories: readonly CategoryCreate[];
}

/** What a key may do: read everything, read and write, or count views and nothing else. */
export type Access = 'read' | 'write' | 'count';

export interface NewKey {
  readonly keyId: string;
  readonly name: string;
  readonly access: Access;
  /** SHA-256 of the whole key; the key itself is stored nowhere. */
  readonly hash: Uint8Array;
  /** ISO 8601 in UTC; from then on the key is refused. `null`: never. */
  readonly expiresAt: string | null;
}

export interface StoredKey extends NewKey {
  /** ISO 8601. */
  readonly createdAt: string;
  readonly revokedAt: string | null;
}
