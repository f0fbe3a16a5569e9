import { stripInvisible } from '../content/invisible.ts';
import type { ArticlePage, Plan, PlannedArticle } from '../plan/plan.ts';
import { categoryPath } from './category-path.ts';
import type { DocumentDescription } from './describe-document.ts';
import { type DocumentRecord, documentSchemaName } from './document-record.ts';
import { documentId, recordUuid, sha256 } from './record-ids.ts';
import type { FeedDocument } from './scrub-document.ts';

/** What stays out of `meta_hash`: the content, what follows from it, and the hash itself. */
const notMeta = new Set(['schema', 'content', 'tokens', 'chars', 'hash', 'meta_hash', 'flags']);

/** Puts the record of one document together. */
export function makeDocumentRecord(
  plan: Plan,
  article: PlannedArticle,
  page: ArticlePage,
  document: FeedDocument,
  description: DocumentDescription,
  translation: DocumentRecord['translation'],
): DocumentRecord {
  const id = documentId(article.id, page.language);
  const path = categoryPath(plan, page.language, article.categoryId).map(stripInvisible);
  const record: Omit<DocumentRecord, 'meta_hash'> = {
    schema: documentSchemaName,
    id,
    uuid: recordUuid(id),
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
    headings: document.headings.map(({ level, id, text }) => ({ level, id, text })),
    links: {
      internal: document.linkedArticleIds.flatMap((linked) => linkedDocumentId(plan, linked, page)),
      external: [...document.externalLinks],
    },
    images: document.images.map(({ src, alt }) => ({ src, ...present('alt', alt) })),
    content: { markdown: document.markdown, text: document.text },
    tokens: description.tokens,
    chars: document.markdown.length,
    hash: description.hash,
    ...(description.flags.length === 0 ? {} : { flags: [...description.flags] }),
  };
  return { ...record, meta_hash: metaHash(record) };
}

/** The `meta_hash` of a record: SHA-256 of its JSON without the content and what follows from it, fields in order. */
export function metaHash(record: Omit<DocumentRecord, 'meta_hash'>): string {
  const meta = Object.entries(record).filter(([name]) => !notMeta.has(name));
  return sha256(JSON.stringify(Object.fromEntries(meta)));
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

/** A link leads to the page in the reader's language, or else in the language the article was written in. */
function linkedDocumentId(plan: Plan, articleId: string, page: ArticlePage): readonly string[] {
  const target = plan.articles.get(articleId);
  if (target === undefined) return [];
  const language = target.pages.has(page.language) ? page.language : target.sourceLanguage;
  return [documentId(articleId, language)];
}
