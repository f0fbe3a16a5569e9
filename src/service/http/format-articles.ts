import { hash } from 'node:crypto';
import type { ArticleRecord } from '../../core/api/article.ts';
import type { CategoryRecord } from '../../core/api/category.ts';
import type { SourceArticle } from '../../core/api/queries.ts';
import { isSameLanguage } from '../../core/language.ts';
import type { ArticleFilter, ArticlePageRequest, ArticleText, SourceText, Store } from '../store/store.ts';
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
  const state = [store.accountId, await store.revision(), siteUrl, defaultLanguage];
  return hash('sha256', JSON.stringify(state), 'base64url');
}

/** Options of a list response; `limit` is `Infinity` for the whole list. */
type ListRequest = Omit<ArticlePageRequest, 'after'> & { readonly filter: ArticleFilter };

/** Articles read at a time: few enough to limit memory with large bodies. */
const pageSize = { withBody: 20, withoutBody: 500 };

/** The response `{"articles": [...]}` in chunks of JSON text. An article that exists while it is read is in exactly one chunk. */
export async function* formatArticleList(
  store: Pick<Store, 'listArticles'>,
  { filter, includeBody, skip, limit }: ListRequest,
  siteUrl: string,
): AsyncGenerator<string> {
  const size = includeBody ? pageSize.withBody : pageSize.withoutBody;
  let separator = '{"articles":[';
  for (let left = limit, after = 0; left > 0; ) {
    const page = await store.listArticles(filter, {
      ...{ includeBody, after, limit: Math.min(size, left) },
      skip: after === 0 ? skip : 0,
    });
    const last = page.at(-1);
    if (last === undefined) break;
    yield separator + page.map((article) => formatArticle(article, siteUrl)).join(',');
    separator = ',';
    left -= page.length;
    after = last.position;
  }
  yield separator === ',' ? ']}' : '{"articles":[]}';
}

const sourcePageSize = 50;

/** The chatbot source page as chunks of JSON text: all published public articles, in one language or in all. */
export async function* formatSourcePage(
  context: RouteContext,
  language: string | undefined,
): AsyncGenerator<string> {
  const { store, defaultLanguage } = context;
  const categories = await readCategories(context);
  yield `{"schema":"lectern/service-source/1","default_language":${JSON.stringify(defaultLanguage)},"articles":[`;
  let comma = '';
  for (let after: SourceText | null = null; ; ) {
    const page: readonly SourceText[] = await store.listSources({ language, after, limit: sourcePageSize });
    for (const text of page) {
      yield comma + JSON.stringify(toSourceArticle(text, categories, context));
      comma = ',';
    }
    if (page.length < sourcePageSize) break;
    after = page.at(-1) ?? null;
  }
  yield ']}';
}

function toSourceArticle(
  { articleId, language, title, slug, categoryId, meta, updatedAt, text }: SourceText,
  categories: ReadonlyMap<string, CategoryRecord>,
  { siteUrl, defaultLanguage }: RouteContext,
): SourceArticle {
  return {
    article_id: articleId,
    language,
    title,
    url: siteUrl + articlePath(articleId, slug, language === defaultLanguage ? null : language),
    category_path: categoryPath(categories, categoryId, language),
    tags: (JSON.parse(meta) as ArticleRecord).tags,
    updated_at: updatedAt,
    hash: hash('sha256', `${title}\n${text}`),
    text,
  };
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
    const translation = category.multilingual.find((element) =>
      isSameLanguage(element.language_code, language),
    );
    titles.unshift(translation?.title ?? category.title);
    id = category.parent_category_id;
  }
  return titles;
}
