import { stripInvisible } from '../../foundation/invisible.ts';
import type { LanguageTag } from '../../foundation/model.ts';
import type { ArticlePage, Plan, PlannedArticle } from '../../plan/plan.ts';
import type { DocumentRecord } from './document-record.ts';
import { documentId } from './record-ids.ts';
import type { SharedTexts } from './shared-texts.ts';

/**
 * All that the records of a page say besides its content, fields in the order of the record. Plain JSON data: it crosses
 * threads, and two pages with the same metadata and the same document have the same records.
 */
export type DocumentMeta = Readonly<
  Pick<
    DocumentRecord,
    | 'id'
    | 'article_id'
    | 'language'
    | 'title'
    | 'url'
    | 'markdown_url'
    | 'category'
    | 'tags'
    | 'description'
    | 'created_at'
    | 'updated_at'
    | 'alternates'
    | 'translation'
  >
>;

/**
 * Makes the metadata of one page. A description that many articles share describes none of them and is omitted.
 * @param translation compares it to its source
 */
export function makeDocumentMeta(
  plan: Plan,
  article: PlannedArticle,
  page: ArticlePage,
  translation: DocumentRecord['translation'],
  shared: SharedTexts,
): DocumentMeta {
  const { language } = page;
  const description = page.description ?? '';
  const isOwn = shared.descriptions.get(language)?.has(description) !== true;
  const path = categoryPath(plan, language, article.categoryId).map(stripInvisible);
  return {
    id: documentId(article.id, language),
    article_id: article.id,
    language,
    title: stripInvisible(page.title),
    url: page.url,
    markdown_url: page.markdown.url,
    ...(article.categoryId === null ? {} : { category: { id: article.categoryId, path } }),
    tags: article.tags.map(stripInvisible),
    ...present('description', isOwn ? stripInvisible(description) : null),
    ...present('created_at', article.createdAt),
    ...present('updated_at', page.updatedAt ?? article.updatedAt),
    alternates: alternatesOf(article, page),
    translation,
  };
}

function present<Name extends string>(name: Name, value: string | null): { [key in Name]?: string } {
  return (value === null || value === '' ? {} : { [name]: value }) as { [key in Name]?: string };
}

function alternatesOf(article: PlannedArticle, page: ArticlePage): Record<string, string> {
  const others = [...article.pages.values()].filter(({ language }) => language !== page.language);
  return Object.fromEntries(
    others.map(({ language, url }) => [language, url] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/**
 * Titles of a category and those above it, outermost first, in one language.
 * A category without a title in that language is passed over: a feed never fills a language with another one's text.
 */
export function categoryPath(
  plan: Plan,
  language: LanguageTag,
  categoryId: string | null,
): readonly string[] {
  const nodes = plan.languageByTag.get(language)?.categoryById;
  const titles: string[] = [];
  let node = categoryId === null ? undefined : nodes?.get(categoryId);
  while (node !== undefined) {
    if (node.page.titleLanguage === language) titles.unshift(node.page.title);
    node = node.parentId === null ? undefined : nodes?.get(node.parentId);
  }
  return titles;
}

/** The pages of every article that is published, the language it was written in first: a plan, or a part of one. */
export interface PublishedArticles {
  get(id: string): { readonly pages: PublishedPages } | undefined;
}

type PublishedPages = Pick<ReadonlyMap<LanguageTag, { readonly language: LanguageTag }>, 'get' | 'values'>;

/**
 * In which language readers of `readerLanguage` get an article: theirs, where it has it, or else the one it was written in.
 * `null`: it is not published.
 */
export function documentLanguage(
  articles: PublishedArticles,
  articleId: string,
  readerLanguage: LanguageTag,
): LanguageTag | null {
  const pages = articles.get(articleId)?.pages;
  const page = pages?.get(readerLanguage) ?? pages?.values().next().value;
  return page?.language ?? null;
}
