import type { Article } from '../api/article.ts';
import {
  parseArticle,
  parseCategory,
  parseSearchAnswer,
  parseSourcePage,
  parseTopArticle,
} from '../api/parse-records.ts';
import { sourceSettings } from '../config/source-settings.ts';
import type { Client, ClientOptions } from './client-types.ts';
import { createHttp, type Http, type HttpRequest, type HttpResponse } from './http.ts';
import { readListing } from './listing/read-listing.ts';
import { NetworkFault } from './network-fault.ts';
import { readJson } from './read-json.ts';
import { statisticsPaths } from './read-top-articles.ts';

/**
 * Opens a client for a knowledge-base service.
 * @throws BASE_URL_INVALID, INSECURE_URL, API_KEY_MISSING, API_KEY_INVALID (all exit 2)
 * @example const client = createClient({ baseUrl: 'https://kb.example.com/v1', apiKey: process.env.LECTERN_API_KEY ?? '' })
 */
export function createClient(options: ClientOptions): Client {
  const network = { ...sourceSettings.parse({}), ...options.network };
  const http = createHttp({
    ...network,
    baseUrl: options.baseUrl,
    apiKey: options.apiKey,
    ca: options.ca ?? null,
    insecureLoopback: options.insecureLoopback ?? false,
    ...(options.ports ? { ports: options.ports } : {}),
  });
  const call = (request: HttpRequest) => http.request(request, readJson);
  const one =
    <T>(key: string, read: (value: unknown) => T | null) =>
    async (request: HttpRequest) =>
      existing(read(member(await call(request), key)), request);
  const answer = async <T>(parse: (value: unknown) => T | null, request: HttpRequest): Promise<T> =>
    existing(parse(await call(request)), request);
  const oneArticle = one('article', parseArticle);
  const oneCategory = one('category', parseCategory);
  const many = async <T>(key: string, read: (value: unknown) => T | null, request: HttpRequest) =>
    list(member(await call(request), key), request).flatMap((value) => read(value) ?? []);

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
            if (article !== null) sink.take(await withBody(article, oneArticle));
          },
        },
      );
    },
    readArticle: (articleId) => oneArticle({ method: 'GET', path: articlePath(articleId) }),
    createArticle: (body) => oneArticle({ method: 'POST', path: '/article', body }),
    updateArticle: (articleId, body) => oneArticle({ method: 'PATCH', path: articlePath(articleId), body }),
    deleteArticle: (articleId) => deleteArticle(http, articleId),
    listCategories: () => many('categories', parseCategory, { method: 'GET', path: '/category' }),
    readCategory: (categoryId) => oneCategory({ method: 'GET', path: categoryPath(categoryId) }),
    createCategory: (body) => oneCategory({ method: 'POST', path: '/category', body }),
    updateCategory: (categoryId, body) =>
      oneCategory({ method: 'PATCH', path: categoryPath(categoryId), body }),
    search: (query) => answer(parseSearchAnswer, { method: 'GET', path: '/search', query }),
    readStatistics: async (query = {}) => {
      const [path, doubledPath] = statisticsPaths;
      const first = { method: 'GET', path, query, accept: [404] } as const;
      const found = await http.request(first, async (response) =>
        response.status === 404 ? null : { answer: await readJson(response) },
      );
      const request = { method: 'GET', path: doubledPath, query } as const;
      const top = found === null ? await call(request) : found.answer;
      return list(member(top, 'top_articles'), request).flatMap((entry) => parseTopArticle(entry) ?? []);
    },
    countViews: (articleId, body = {}) =>
      succeed(http, { method: 'POST', path: `/stats${articlePath(articleId)}`, body }),
    readSourcePage: (query = {}) =>
      answer(parseSourcePage, { method: 'GET', path: '/article', query: { ...query, format: 'list' } }),
    readSourceText: (query = {}) =>
      http.request(
        {
          method: 'GET',
          path: '/article',
          query: { ...query, format: 'list' },
          headers: { accept: 'text/plain' },
        },
        readText,
      ),
    close: http.close,
  };
}

async function readText({ body }: HttpResponse): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

function articlePath(articleId: string): string {
  return `/article/${encodeURIComponent(articleId)}`;
}

function categoryPath(categoryId: string): string {
  return `/category/${encodeURIComponent(categoryId)}`;
}

/** A server that gives no bodies in lists is asked for them one by one. */
async function withBody(
  article: Article,
  read: (request: HttpRequest) => Promise<Article>,
): Promise<Article> {
  if (article.body !== undefined) return article;
  return read({ method: 'GET', path: articlePath(article.article_id) });
}

/** A deletion that is repeated after a broken connection finds nothing when the first attempt came through. */
async function deleteArticle(http: Http, articleId: string): Promise<void> {
  try {
    await succeed(http, { method: 'DELETE', path: articlePath(articleId) });
  } catch (error) {
    const wasRepeated = error instanceof NetworkFault && error.cause instanceof NetworkFault;
    if (!wasRepeated || error.code !== 'NOT_FOUND') throw error;
  }
}

/** Makes a request whose answer says no more than whether it succeeded. Throws also REQUEST_REFUSED for `{"success": false}`. */
async function succeed(http: Http, request: HttpRequest): Promise<void> {
  const text = await http.request(request, readText);
  if (member(parseOrNull(text), 'success') !== false) return;
  throw new NetworkFault(
    'REQUEST_REFUSED',
    `${request.method} ${request.path} was answered with "success": false`,
    {
      hint: 'check the record in the knowledge base',
      retry: 'never',
    },
  );
}

/** A service may answer without a body. */
function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

function existing<T>(value: T | null, request: HttpRequest): T {
  if (value === null) throw badAnswer(request);
  return value;
}

function list(value: unknown, request: HttpRequest): readonly unknown[] {
  if (!Array.isArray(value)) throw badAnswer(request);
  return value;
}

function badAnswer({ method, path }: HttpRequest): NetworkFault {
  return new NetworkFault(
    'BAD_RESPONSE',
    `${method} ${path} was answered without the record that was asked for`,
    {
      hint: 'check that the base URL is that of the knowledge-base API',
      retry: 'never',
    },
  );
}
