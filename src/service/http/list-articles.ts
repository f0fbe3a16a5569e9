import { createHash } from 'node:crypto';
import type { ArticleFilter, ArticleText, Store } from '../store/store.ts';
import type { RouteContext } from './add-operation.ts';
import { formatArticle } from './article-url.ts';

/** Changes with everything a list depends on besides its query. */
export async function listVersion({ store, siteUrl, defaultLanguage }: RouteContext): Promise<string> {
  return createHash('sha256')
    .update(JSON.stringify([store.accountId, await store.revision(), siteUrl, defaultLanguage]))
    .digest('base64url');
}

/** What one list answers with. */
export interface ListRequest {
  readonly filter: ArticleFilter;
  readonly includeBody: boolean;
  readonly skip: number;
  /** `Infinity` for the whole list. */
  readonly limit: number;
}

/** Articles read at a time: enough to be quick, few enough that memory stays small with large bodies. */
const pageSize = { withBody: 20, withoutBody: 500 };
/** A page of longer records ends where it reaches this, so that memory holds a page and one record more. */
const maxBytes = 1024 * 1024;

/** Reads a list page by page. An article that exists throughout is in exactly one page. */
async function* walkArticles(
  store: Pick<Store, 'listArticles'>,
  request: ListRequest,
): AsyncGenerator<readonly ArticleText[]> {
  const size = request.includeBody ? pageSize.withBody : pageSize.withoutBody;
  let left = request.limit;
  let after = 0;
  let skip = request.skip;
  while (left > 0) {
    const limit = Math.min(size, left);
    const { filter, includeBody } = request;
    const page = await store.listArticles(filter, { includeBody, after, skip, limit, maxBytes });
    if (page.length > 0) yield page;
    if (page.length < limit && !isFull(page)) return;
    left -= page.length;
    after = page.at(-1)?.position ?? after;
    skip = 0;
  }
}

function isFull(page: readonly ArticleText[]): boolean {
  let bytes = 0;
  for (const { json } of page) bytes += Buffer.byteLength(json);
  return bytes >= maxBytes;
}

/** The answer `{"articles": [...]}` in chunks of JSON text. */
export async function* formatArticleList(
  store: Pick<Store, 'listArticles'>,
  request: ListRequest,
  siteUrl: string,
): AsyncGenerator<string> {
  let separator = '{"articles":[';
  for await (const page of walkArticles(store, request)) {
    yield separator + page.map((article) => formatArticle(article, siteUrl)).join(',');
    separator = ',';
  }
  yield separator === ',' ? ']}' : '{"articles":[]}';
}
