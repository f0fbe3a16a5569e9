import { z } from '../schema.ts';
import { article, articleCreate, articleUpdate, listQuery } from './article.ts';
import { category, categoryCreate, categoryUpdate } from './category.ts';
import {
  feedbackAnswer,
  missedSearches,
  readerFeedback,
  readerQuery,
  searchAnswer,
  searchMiss,
  searchQuery,
  sourcePage,
  statisticsAnswer,
  statisticsQuery,
  viewCount,
} from './queries.ts';

/** One endpoint of the API. */
export interface Operation<Query = unknown, Body = unknown> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to the base URL, e.g. `/article/:article_id`. */
  readonly path: string;
  /** A second path of the same operation. */
  readonly otherPath?: string;
  readonly summary: string;
  /** Words after `lectern kb` that call it, e.g. `article get <id>`; absent: the command line does not. */
  readonly command?: string;
  readonly query: z.ZodType<Query>;
  /** `null` if the operation has no body. */
  readonly body: z.ZodType<Body> | null;
  readonly answer: z.ZodType;
}

const none = z.object({});
const success = z.strictObject({ success: z.boolean() });
const oneArticle = z.strictObject({ article });
const oneCategory = z.strictObject({ category });

/**
 * Every operation of the API, described once: the service validates with these schemas, and the OpenAPI document and the client's types are
 * generated from them. `countViews` and `/openapi.json` are our extensions.
 */
export const operations = {
  listArticles: {
    method: 'GET',
    path: '/article',
    summary: 'List articles of all statuses. With `format=list`, the response is that of readSourcePage.',
    command: 'article list',
    query: listQuery,
    body: null,
    answer: z.strictObject({ articles: z.array(article) }),
  },
  readSourcePage: {
    method: 'GET',
    path: '/source',
    summary:
      'Extension: return all public articles as one document. GET /article with `format=list` does the same.',
    command: 'source',
    query: listQuery.pick({ language_code: true }),
    body: null,
    answer: sourcePage,
  },
  readArticle: {
    method: 'GET',
    path: '/article/:article_id',
    summary: 'Read one article with its bodies.',
    command: 'article get <id>',
    query: none,
    body: null,
    answer: oneArticle,
  },
  createArticle: {
    method: 'POST',
    path: '/article',
    summary: 'Create an article. It is a draft unless `is_published` is `true`.',
    command: 'article create',
    query: none,
    body: articleCreate,
    answer: oneArticle,
  },
  updateArticle: {
    method: 'PATCH',
    path: '/article/:article_id',
    summary: 'Change the fields that are sent, and the languages that `multilingual` names.',
    command: 'article update <id>',
    query: none,
    body: articleUpdate,
    answer: oneArticle,
  },
  deleteArticle: {
    method: 'DELETE',
    path: '/article/:article_id',
    summary: 'Delete an article with its translations and views.',
    command: 'article delete <id>',
    query: none,
    body: null,
    answer: success,
  },
  search: {
    method: 'GET',
    path: '/search',
    summary: 'Search titles, descriptions, tags and texts; best first.',
    command: 'search <query>',
    query: searchQuery,
    body: null,
    answer: searchAnswer,
  },
  createCategory: {
    method: 'POST',
    path: '/category',
    summary: 'Create a category.',
    command: 'category create',
    query: none,
    body: categoryCreate,
    answer: oneCategory,
  },
  listCategories: {
    method: 'GET',
    path: '/category',
    summary: 'List all categories.',
    command: 'category list',
    query: none,
    body: null,
    answer: z.strictObject({ categories: z.array(category) }),
  },
  readCategory: {
    method: 'GET',
    path: '/category/:category_id',
    summary: 'Read one category.',
    command: 'category get <id>',
    query: none,
    body: null,
    answer: oneCategory,
  },
  updateCategory: {
    method: 'PATCH',
    path: '/category/:category_id',
    summary: 'Change the fields that are sent, and the languages that `multilingual` names.',
    command: 'category update <id>',
    query: none,
    body: categoryUpdate,
    answer: oneCategory,
  },
  readStatistics: {
    method: 'GET',
    path: '/stats/article',
    // The interface document has this path, although its base URL already ends in /v1.
    otherPath: '/v1/stats/article',
    summary: 'Return the views of each article in a timeframe.',
    command: 'stats articles',
    query: statisticsQuery,
    body: null,
    answer: statisticsAnswer,
  },
  countViews: {
    method: 'POST',
    path: '/stats/article/:article_id',
    otherPath: '/v1/stats/article/:article_id',
    summary: 'Extension: add views of an article to one day.',
    query: none,
    body: viewCount,
    answer: success,
  },
  readSearches: {
    method: 'GET',
    path: '/stats/search',
    summary: 'Extension: return the searches in which readers found nothing.',
    command: 'stats searches',
    query: readerQuery,
    body: null,
    answer: missedSearches,
  },
  countSearch: {
    method: 'POST',
    path: '/stats/search',
    summary: 'Extension: counts a search without a result.',
    query: none,
    body: searchMiss,
    answer: success,
  },
  readFeedback: {
    method: 'GET',
    path: '/stats/feedback',
    summary: 'Extension: return how many readers an article helped, and what they wrote.',
    command: 'stats feedback',
    query: readerQuery,
    body: null,
    answer: feedbackAnswer,
  },
  countFeedback: {
    method: 'POST',
    path: '/stats/feedback',
    summary: 'Extension: counts the answer of a reader to "Was this article helpful?".',
    query: none,
    body: readerFeedback,
    answer: success,
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
