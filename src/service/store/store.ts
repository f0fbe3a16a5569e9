import { hash } from 'node:crypto';
import type { ArticleCreate, ArticleUpdate, ListQuery } from '../../core/api/article.ts';
import type { CategoryCreate, CategoryUpdate } from '../../core/api/category.ts';
import type { ArticleViews, SearchQuery } from '../../core/api/queries.ts';
import { messageOf } from '../../core/errors.ts';
import { DatabaseUnavailable } from '../../core/sqlite/sqlite.ts';

/** Whether the work can succeed after another process has released its lock. */
export function isLocked(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && error.reason === 'locked';
}

/** The database's own message of an error. */
export function reasonOf(error: unknown): string {
  return messageOf(error instanceof DatabaseUnavailable ? error.cause : error);
}

/** Conditions on the current state of a record: a write is carried out only if they are met. `undefined` accepts any state. */
export type Expected =
  | {
      /** The record must have one of these tags. */
      readonly tags: readonly string[];
      readonly context: string;
    }
  | undefined;

/**
 * Identifies one state of a record: the ETag of responses that contain it.
 * @param json the stored record
 * @param context what these responses depend on besides the record
 */
export function recordTag(json: string, context: string): string {
  return hash('sha256', `${context}\n${json}`, 'base64url');
}

/** Whether a stored record is in a state that a write expects. */
export function isExpected(json: string, expected: Expected): boolean {
  return expected === undefined || expected.tags.includes(recordTag(json, expected.context));
}

/** Result of changing a record: the changed record, or the reason why nothing changed. */
export type Changed<T> =
  | { readonly outcome: 'done'; readonly record: T }
  | { readonly outcome: 'not_found' | 'precondition_failed' };

/** How a knowledge base is opened. */
export interface StoreOptions {
  /** Language of the records' own title and body. */
  readonly defaultLanguage: string;
  /** The clock, milliseconds since 1970. */
  readonly clock: () => number;
  /** Whether only keys are used: then an index that a new version requires is not made now. */
  readonly isForKeys?: boolean | undefined;
}

/**
 * The database interface, implemented with SQLite and PostgreSQL. Records are returned as JSON text, so that a list of ten thousand bodies
 * is not parsed and serialised again. Every write, including the check of {@link Expected}, is one transaction, and is on disk when its
 * promise resolves. A read sees all writes that resolved before it. Every function can reject with {@link DatabaseUnavailable}.
 */
export interface Store {
  /** Ten letters or digits, generated once per data file. */
  readonly accountId: string;
  isEmpty(): Promise<boolean>;
  /** Rejects if records cannot be read. */
  checkReady(): Promise<void>;
  /** Changes with every write to a record by any process. */
  revision(): Promise<string>;
  /**
   * One page of a list, in the order of creation; use `after` for the next page. A page is shorter than `limit` at the end of the list, or
   * if its articles are long. It is empty only after the end.
   */
  listArticles(filter: ArticleFilter, page: ArticlePageRequest): Promise<readonly ArticleText[]>;
  readArticle(articleId: string): Promise<ArticleText | null>;
  /** Returns `null` if the id of the input is already used. */
  createArticle(input: ArticleCreate): Promise<ArticleText | null>;
  /** Rejects with `RecordInvalid`. */
  updateArticle(articleId: string, change: ArticleUpdate, expected: Expected): Promise<Changed<ArticleText>>;
  deleteArticle(articleId: string, expected: Expected): Promise<Changed<null>>;
  /** Categories are JSON texts. */
  listCategories(): Promise<readonly string[]>;
  readCategory(categoryId: string): Promise<string | null>;
  /** Returns `null` if the id of the input is already used. */
  createCategory(input: CategoryCreate): Promise<string | null>;
  /** Rejects with `RecordInvalid`. */
  updateCategory(categoryId: string, change: CategoryUpdate, expected: Expected): Promise<Changed<string>>;
  search(request: SearchQuery & { readonly limit: number }): Promise<SearchResult>;
  /** Public language versions as plain text for chatbots, one page at a time. */
  listSources(page: SourcePageRequest): Promise<readonly SourceText[]>;
  /** Adds views of one day; `false` if the article does not exist. */
  countViews(articleId: string, day: string, count: number): Promise<boolean>;
  /** Most viewed first; articles without views are absent. */
  listTopArticles(request: TopArticlesRequest): Promise<readonly ArticleViews[]>;
  /** Adds one. A signal of an article that does not exist, or one of too many of its day, is not counted. */
  countSignal(signal: ReaderSignal): Promise<void>;
  /** Most frequent first. Days are inclusive; without a language, all of them. */
  listSignals(request: {
    readonly kind: ReaderSignal['kind'];
    readonly from: string;
    readonly to: string;
    readonly language: string | undefined;
  }): Promise<readonly SignalCount[]>;
  createKey(key: NewKey): Promise<void>;
  listKeys(): Promise<readonly StoredKey[]>;
  readKey(keyId: string): Promise<StoredKey | null>;
  /** `false` if there is no such active key. */
  revokeKey(keyId: string): Promise<boolean>;
  /**
   * Fills an empty store in one transaction; if several processes try at the same time, one of them succeeds. Returns the ids of records
   * that were skipped because their id was already used, or `null` if the store is not empty.
   */
  fill(records: Records): Promise<readonly string[] | null>;
  close(): Promise<void>;
}

/** Something that a reader did: a search without a result, an answer to "Was this article helpful?", or a text with it. */
export interface ReaderSignal {
  readonly kind: 'search' | 'answer' | 'text';
  /** Day in the form `2026-01-31`. */
  readonly day: string;
  /** `''` for a search. */
  readonly articleId: string;
  readonly language: string;
  /** The search, `yes` or `no`, or the text. */
  readonly value: string;
}

/** How often there was a signal in a timeframe. */
export interface SignalCount extends Omit<ReaderSignal, 'kind' | 'day'> {
  readonly count: number;
  readonly lastDay: string;
  /** `null` if there is no such article. */
  readonly title: string | null;
}

/** Filters of a list of articles, as in its query; absent ones do not filter. */
export type ArticleFilter = Omit<ListQuery, 'include_body' | 'limit' | 'skip' | 'format'>;

export interface ArticlePageRequest {
  readonly includeBody: boolean;
  /** Position after which the page starts; 0 for the first page. */
  readonly after: number;
  readonly skip: number;
  readonly limit: number;
}

/** An article as JSON text without `url` and `relative_url`, which depend on settings of the service. */
export interface ArticleText {
  /** Never reused. */
  readonly position: number;
  readonly articleId: string;
  readonly slug: string;
  readonly json: string;
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
  /** Larger is better; comparable only within one response. */
  readonly score: number;
  /** The record without bodies, as JSON text. */
  readonly meta: string;
}

export interface SearchResult {
  readonly hits: readonly FoundVersion[];
  /** Total number of matching articles. */
  readonly total: number;
  /** The folded words of the search. */
  readonly words: readonly string[];
  /** Whether the search text was too long and was cut. */
  readonly isTruncated: boolean;
}

interface SourcePageRequest {
  readonly language?: string | undefined;
  /** The last text of the previous page; `null` for the first page. */
  readonly after: Pick<SourceText, 'position' | 'storedLanguage'> | null;
  readonly limit: number;
}

/** One public article in one language. */
export interface SourceText {
  readonly position: number;
  /** The store's internal name of the language, only for `after`. */
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

interface TopArticlesRequest {
  /** Days as `2026-01-31`, both inclusive. */
  readonly from: string;
  readonly to: string;
  readonly limit: number;
  readonly categoryId?: string | undefined;
  /** Language of the titles; for an article without a title in it, its own title. */
  readonly language?: string | undefined;
}

/** Initial content of a knowledge base. */
export interface Records {
  readonly articles: readonly ArticleCreate[];
  readonly categories: readonly CategoryCreate[];
}

/** Permissions of a key: read everything, read and write, or only count views. */
export type Access = 'read' | 'write' | 'count';

export interface NewKey {
  readonly keyId: string;
  readonly name: string;
  readonly access: Access;
  /** SHA-256 of the whole key; the key itself is not stored. */
  readonly hash: Uint8Array;
}

export interface StoredKey extends NewKey {
  /** ISO 8601. */
  readonly createdAt: string;
  readonly revokedAt: string | null;
}
