import { stripInvisible } from '../../content/policy/invisible.ts';
import type { ArticlePage, Plan, PlannedArticle } from '../../plan/plan.ts';
import { categoryPath } from './category-path.ts';
import type { DocumentRecord } from './document-record.ts';
import { documentId } from './record-ids.ts';

/**
 * All that the records of a page say besides its content, fields in the order of the record. Plain JSON data: it crosses
 * threads, and two pages with the same head and the same document have the same records.
 */
export type FeedHead = Readonly<
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

/** Makes the head of one page; `translation` is how it stands to its source. */
export function makeFeedHead(
  plan: Plan,
  article: PlannedArticle,
  page: ArticlePage,
  translation: DocumentRecord['translation'],
): FeedHead {
  const path = categoryPath(plan, page.language, article.categoryId).map(stripInvisible);
  return {
    id: documentId(article.id, page.language),
    article_id: article.id,
    language: page.language,
    title: stripInvisible(page.title),
    url: page.url,
    markdown_url: page.markdown.url,
    ...(article.categoryId === null ? {} : { category: { id: article.categoryId, path } }),
    tags: article.tags.map(stripInvisible),
    ...present('description', page.description === null ? null : stripInvisible(page.description)),
    ...present('created_at', article.createdAt),
    ...present('updated_at', article.updatedAt),
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
