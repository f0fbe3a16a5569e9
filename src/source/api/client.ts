import { type ArticleRecord, article } from '../../core/api/article.ts';
import { parseCategory, parseRecord } from '../../core/api/parse-records.ts';
import {
  articleFeedback,
  missedSearch,
  searchAnswer,
  sourcePage,
  topArticle,
} from '../../core/api/queries.ts';
import { networkOf } from '../../core/config/source-settings.ts';
import { createHttp, type HttpRequest } from '../../core/net/http.ts';
import { NetworkFault } from '../../core/net/network-fault.ts';
import { readJson } from '../../core/net/read-json.ts';
import type { z } from '../../core/schema.ts';
import { isRecord } from '../../core/unknown-record.ts';
import { readList as readElements } from '../normalise/fields.ts';
import { readLive, readVisibility } from '../normalise/visibility.ts';
import { readListing } from '../read-listing.ts';
import type { Client, ClientOptions, WriteCondition } from './client-types.ts';

/**
 * Opens a client for a knowledge-base service.
 * @throws CONFIG_INVALID, KEY_UNUSABLE (all exit 2)
 * @example const client = createClient({ baseUrl: 'https://kb.example.com/v1', apiKey: process.env.LECTERN_API_KEY ?? '' })
 */
export function createClient(options: ClientOptions): Client {
  const network = { ...networkOf(), ...options.network };
  const http = createHttp({
    ...network,
    baseUrl: options.baseUrl,
    apiKey: options.apiKey,
    ca: options.ca ?? null,
    insecureLoopback: options.insecureLoopback ?? false,
    ports: options.ports,
  });
  const call = (request: HttpRequest) => http.request(request, readJson);
  const etags = new WeakMap<object, string>();
  const one =
    <T extends object>(key: string, read: (value: unknown) => T | null) =>
    (request: HttpRequest): Promise<T> =>
      http.request(request, async (response) => {
        const record = existing(read(member(await readJson(response), key)), request);
        const { etag } = response.headers;
        // A proxy that compresses marks it as weak, although it is the tag of the record and not of these bytes; If-Match needs a strong one.
        if (etag !== undefined) etags.set(record, etag.replace(/^W\//, ''));
        return record;
      });
  const oneArticle = one('article', parseArticle);
  const oneCategory = one('category', parseCategory);
  const checked = async <T extends z.ZodObject>(schema: T, request: HttpRequest): Promise<z.output<T>> =>
    existing(parseRecord(schema, await call(request)), request);
  const confirmed = async (request: HttpRequest): Promise<void> => {
    if (member(await call(request), 'success') !== true) throw notDone(request);
  };
  const many = async <T>(key: string, read: (value: unknown) => T | null, request: HttpRequest) =>
    readList(await call(request), key, read, request);

  return {
    listArticles: (filter = {}) =>
      many('articles', parseArticle, { method: 'GET', path: '/article', query: filter }),
    readEveryArticle: async (sink) => {
      await readListing(
        http,
        { ...network, includeBody: true },
        {
          restart: async () => sink.restart(),
          take: async (record) => {
            const article = parseArticle(record);
            if (article !== null) sink.take(await completed(article, record, oneArticle));
          },
        },
      );
    },
    readArticle: (articleId) => oneArticle({ method: 'GET', path: pathOf('article', articleId) }),
    createArticle: (body) => oneArticle({ method: 'POST', path: '/article', body }),
    updateArticle: (articleId, body, condition) =>
      oneArticle({ method: 'PATCH', path: pathOf('article', articleId), body, ...headersOf(condition) }),
    deleteArticle: (articleId, condition) => deleteArticle(confirmed, articleId, condition),
    listCategories: () => many('categories', parseCategory, { method: 'GET', path: '/category' }),
    readCategory: (categoryId) => oneCategory({ method: 'GET', path: pathOf('category', categoryId) }),
    createCategory: (body) => oneCategory({ method: 'POST', path: '/category', body }),
    updateCategory: (categoryId, body, condition) =>
      oneCategory({ method: 'PATCH', path: pathOf('category', categoryId), body, ...headersOf(condition) }),
    etagOf: (record) => etags.get(record) ?? null,
    search: (query) => checked(searchAnswer, { method: 'GET', path: '/search', query }),
    readStatistics: async (query = {}) => {
      const request = { method: 'GET', path: '/stats/article', query, accept: [404] } as const;
      const views = await http.request(request, async (response) =>
        response.status === 404
          ? null
          : readList(await readJson(response), 'top_articles', parseViews, request),
      );
      // The interface document writes `/v1` here, although the base URL already ends in the version.
      return views ?? many('top_articles', parseViews, { method: 'GET', path: '/v1/stats/article', query });
    },
    countViews: (articleId, body = {}) =>
      confirmed({ method: 'POST', path: `/stats${pathOf('article', articleId)}`, body }),
    readSearches: (query = {}) =>
      many('searches', parserOf(missedSearch), { method: 'GET', path: '/stats/search', query }),
    countSearch: (body) => confirmed({ method: 'POST', path: '/stats/search', body }),
    readFeedback: (query = {}) =>
      many('feedback', parserOf(articleFeedback), { method: 'GET', path: '/stats/feedback', query }),
    countFeedback: (body) => confirmed({ method: 'POST', path: '/stats/feedback', body }),
    readSourcePage: (query = {}) =>
      checked(sourcePage, { method: 'GET', path: '/article', query: { ...query, format: 'list' } }),
    close: http.close,
  };
}

function pathOf(kind: 'article' | 'category', id: string): string {
  return `/${kind}/${encodeURIComponent(id)}`;
}

/** If a server returns no bodies in lists, or does not say there what is private, reads the article in a separate request. */
async function completed(
  article: ArticleRecord,
  listed: unknown,
  read: (request: HttpRequest) => Promise<ArticleRecord>,
): Promise<ArticleRecord> {
  const mayBePublic = article.is_published && isRecord(listed) && listed.is_private === undefined;
  if (article.body !== undefined && !mayBePublic) return article;
  return read({ method: 'GET', path: pathOf('article', article.article_id) });
}

/** A deletion that is retried after a broken connection finds nothing if the first attempt succeeded. */
async function deleteArticle(
  send: (request: HttpRequest) => Promise<void>,
  articleId: string,
  condition?: WriteCondition,
): Promise<void> {
  try {
    await send({ method: 'DELETE', path: pathOf('article', articleId), ...headersOf(condition) });
  } catch (error) {
    const wasRepeated = error instanceof NetworkFault && error.cause instanceof NetworkFault;
    if (!wasRepeated || error.code !== 'NOT_FOUND') throw error;
  }
}

function headersOf(condition: WriteCondition = {}): Pick<HttpRequest, 'headers'> {
  return condition.ifMatch == null ? {} : { headers: { 'if-match': condition.ifMatch } };
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

function existing<T>(value: T | null, request: HttpRequest): T {
  if (value === null) throw badAnswer(request);
  return value;
}

/** The valid records of a list. */
function readList<T>(
  answer: unknown,
  key: string,
  read: (value: unknown) => T | null,
  request: HttpRequest,
): T[] {
  const values = member(answer, key);
  if (!Array.isArray(values)) throw badAnswer(request);
  const records = values.flatMap((value: unknown) => read(value) ?? []);
  // A list of nothing but invalid records is not that of an empty knowledge base.
  if (records.length === 0 && values.length > 0) throw badAnswer(request);
  return records;
}

/** Of a record and a translation that may not be public, the fields say so: a build of a pulled folder must not publish them. */
function parseArticle(value: unknown): ArticleRecord | null {
  const record = parseRecord(article, value);
  if (record === null || !isRecord(value)) return record;
  const isHidden = readVisibility(value) !== 'public' && readVisibility(record) === 'public';
  const elements = readElements(value, 'multilingual', () => {}).filter(isRecord);
  const hidden = new Set(
    elements.flatMap((one) => (readLive(one) === 'live' ? [] : [String(one.language_code)])),
  );
  return {
    ...record,
    ...(isHidden ? { is_private: true } : {}),
    multilingual: record.multilingual.map((one) =>
      hidden.has(one.language_code) ? { ...one, is_live: false } : one,
    ),
  };
}

function parserOf<T extends z.ZodObject>(schema: T): (value: unknown) => z.output<T> | null {
  return (value) => parseRecord(schema, value);
}

const parseViews = parserOf(topArticle);

function badAnswer({ method, path }: HttpRequest): NetworkFault {
  return new NetworkFault('BAD_RESPONSE', `${method} ${path} returned no valid record`, {
    hint: 'check that the base URL is the knowledge-base API',
    retry: 'never',
  });
}

function notDone({ method, path }: HttpRequest): NetworkFault {
  return new NetworkFault('REQUEST_REFUSED', `${method} ${path} returned no "success": true`, {
    hint: 'read the record again: the service has not confirmed the change',
    retry: 'never',
  });
}
