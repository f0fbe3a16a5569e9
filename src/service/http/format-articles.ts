import { createHash } from 'node:crypto';
import type { ArticleRecord } from '../../core/api/article.ts';
import type { CategoryRecord } from '../../core/api/category.ts';
import type { SourceArticle } from '../../core/api/queries.ts';
import { languageKey } from '../../core/language.ts';
import type { ArticleFilter, ArticleText, SourceText, Store } from '../store/store.ts';
import type { RouteContext } from './add-operation.ts';

/**
 * URL path of an article, relative to the help centre. `/l/<language>` in front leads to a translation; this also works on every Lectern
 * site, whatever its URL patterns.
 * @param language of a translation; `null` for the record's own language
 */
export function articlePath(articleId: string, slug: string, language: string | null): string {
  const prefix = language === null ? '' : `/l/${language}`;
  return `${prefix}/article/${articleId}${slug === '' ? '' : `-${encodeURIComponent(slug)}`}`;
}

/**
 * Adds the calculated URLs to the JSON text of an article.
 * @param siteUrl URL of the public help centre without a trailing slash, or `''`
 */
export function formatArticle(article: ArticleText, siteUrl: string): string {
  const path = articlePath(article.articleId, article.slug, null);
  return `${article.json.slice(0, -1)},"url":${JSON.stringify(siteUrl + path)},"relative_url":${JSON.stringify(path)}}`;
}

/** Changes with everything that a list depends on, except its query. */
export async function listVersion({ store, siteUrl, defaultLanguage }: RouteContext): Promise<string> {
  return createHash('sha256')
    .update(JSON.stringify([store.accountId, await store.revision(), siteUrl, defaultLanguage]))
    .digest('base64url');
}

/** Options of a list response. */
interface ListRequest {
  readonly filter: ArticleFilter;
  readonly includeBody: boolean;
  readonly skip: number;
  /** `Infinity` for the whole list. */
  readonly limit: number;
}

/** Articles read at a time: few enough to limit memory with large bodies. */
const pageSize = { withBody: 20, withoutBody: 500 };

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
    const { filter, includeBody } = request;
    const limit = Math.min(size, left);
    const page = await store.listArticles(filter, { includeBody, after, skip, limit });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    left -= page.length;
    after = last.position;
    skip = 0;
  }
}

/** The response `{"articles": [...]}` in chunks of JSON text. */
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

const sourcePageSize = 50;
/** The chatbot source page as chunks of JSON text: all published public articles, in one language or in all. */
export async function* formatSourcePage(
  context: RouteContext,
  language: string | undefined,
): AsyncGenerator<string> {
  yield `{"schema":"lectern/service-source/1","default_language":${JSON.stringify(context.defaultLanguage)},"articles":[`;
  let comma = '';
  for await (const article of walkSources(context, language)) {
    yield `${comma}${JSON.stringify(article)}`;
    comma = ',';
  }
  yield ']}';
}

async function* walkSources(
  context: RouteContext,
  language: string | undefined,
): AsyncGenerator<SourceArticle> {
  const { store, siteUrl, defaultLanguage } = context;
  const categories = await readCategories(context);
  let after: SourceText | null = null;
  for (;;) {
    const page: readonly SourceText[] = await store.listSources({ language, after, limit: sourcePageSize });
    for (const text of page) {
      const language = text.language === defaultLanguage ? null : text.language;
      yield {
        article_id: text.articleId,
        language: text.language,
        title: text.title,
        url: siteUrl + articlePath(text.articleId, text.slug, language),
        category_path: categoryPath(categories, text.categoryId, text.language),
        tags: (JSON.parse(text.meta) as ArticleRecord).tags,
        updated_at: text.updatedAt,
        hash: createHash('sha256').update(`${text.title}\n${text.text}`).digest('hex'),
        text: text.text,
      };
    }
    after = page.at(-1) ?? null;
    if (page.length < sourcePageSize) return;
  }
}

async function readCategories({ store }: RouteContext): Promise<ReadonlyMap<string, CategoryRecord>> {
  const categories = (await store.listCategories()).map((text): CategoryRecord => JSON.parse(text));
  return new Map(categories.map((category) => [category.category_id, category]));
}

/** Titles from the outermost category down; a missing parent or a cycle ends the path. */
function categoryPath(
  categories: ReadonlyMap<string, CategoryRecord>,
  categoryId: string | null,
  language: string,
): string[] {
  const titles: string[] = [];
  const seen = new Set<string>();
  for (let id = categoryId; id !== null && !seen.has(id); ) {
    seen.add(id);
    const category = categories.get(id);
    if (!category) break;
    const translation = category.multilingual.find(
      (element) => languageKey(element.language_code) === languageKey(language),
    );
    titles.unshift(translation?.title ?? category.title);
    id = category.parent_category_id;
  }
  return titles;
}
