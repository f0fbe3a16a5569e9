import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Handler, sendJson } from './test-server.ts';

export interface ServedKnowledgeBase {
  articles: readonly unknown[];
  /** Categories in the list. */
  categories?: readonly unknown[];
  /** Categories that are missing in the list and can only be read one by one. */
  unlistedCategories?: readonly unknown[];
  /** Views per article id; absent: the service has no statistics. */
  views?: Readonly<Record<string, number>>;
}

/** Deviations of a server from the interface document. */
export interface ServerQuirks {
  /** Returns at most this many articles. */
  readonly cap?: number;
  readonly ignoresSkip?: boolean;
  readonly ignoresLimit?: boolean;
  readonly ignoresIncludeBody?: boolean;
  /** Returns the list as a bare array. */
  readonly bareArray?: boolean;
  /** Sends a validator for the list, and responds with 304 if it is current. */
  readonly hasEtag?: boolean;
}

/** Responds as the interface document says, with the current content of the object. */
export function serveKnowledgeBase(served: ServedKnowledgeBase, quirks: ServerQuirks = {}): Handler {
  return (request, response) => {
    const url = new URL(request.url ?? '/', 'https://localhost');
    const path = url.pathname.replace(/^\/v1/, '');
    if (request.method === 'GET' && path === '/article') {
      const etag = quirks.hasEtag ? `"${hash('sha256', JSON.stringify(served.articles))}"` : null;
      if (etag !== null && request.headers['if-none-match'] === etag) return response.writeHead(304).end();
      if (etag !== null) response.setHeader('etag', etag);
      return sendList(url, served, quirks, response);
    }
    if (request.method === 'GET' && path.startsWith('/article/'))
      return sendArticle(path.slice(9), served, response);
    if (path === '/category') return sendJson(response, { categories: served.categories ?? [] });
    if (path.startsWith('/category/')) return sendCategory(path.slice(10), served, response);
    if (path === '/stats/article' && served.views) {
      const top = Object.entries(served.views).map(([article_id, count]) => ({
        article_id,
        count,
        title: 'x',
      }));
      return sendJson(response, { top_articles: top });
    }
    return sendNotFound(request, response);
  };
}

function sendList(
  url: URL,
  served: ServedKnowledgeBase,
  quirks: ServerQuirks,
  response: ServerResponse,
): void {
  const skip = quirks.ignoresSkip ? 0 : Number(url.searchParams.get('skip') ?? 0);
  const limit = quirks.ignoresLimit
    ? Number.POSITIVE_INFINITY
    : Number(url.searchParams.get('limit') ?? Infinity);
  const hasBodies = url.searchParams.get('include_body') === 'true' && !quirks.ignoresIncludeBody;
  const page = served.articles.slice(skip, skip + Math.min(limit, quirks.cap ?? Number.POSITIVE_INFINITY));
  const articles = hasBodies ? page : page.map(withoutBodies);
  sendJson(response, quirks.bareArray ? articles : { articles });
}

function sendArticle(id: string, served: ServedKnowledgeBase, response: ServerResponse): void {
  const article = served.articles.find(
    (candidate) => (candidate as { article_id?: unknown })?.article_id === id,
  );
  if (article === undefined) sendJson(response, { error: 'not found' }, 404);
  else sendJson(response, { article });
}

function sendCategory(id: string, served: ServedKnowledgeBase, response: ServerResponse): void {
  const all = [...(served.categories ?? []), ...(served.unlistedCategories ?? [])];
  const category = all.find((candidate) => (candidate as { category_id?: unknown })?.category_id === id);
  if (category === undefined) sendJson(response, { error: 'not found' }, 404);
  else sendJson(response, { category });
}

function sendNotFound(_request: IncomingMessage, response: ServerResponse): void {
  sendJson(response, { error: 'not found' }, 404);
}

function withoutBodies(article: unknown): unknown {
  if (typeof article !== 'object' || article === null) return article;
  const { body: _body, multilingual, ...rest } = article as { body?: unknown; multilingual?: unknown };
  if (!Array.isArray(multilingual)) return { ...rest, multilingual };
  return { ...rest, multilingual: multilingual.map(({ body: _inner, ...element }) => element) };
}
