import type { ChunkRecord } from '../feed/records/chunk-record.ts';
import type { DocumentRecord } from '../feed/records/document-record.ts';

/** What exports say of an article in one language. */
export interface ExportArticle {
  readonly id: string;
  readonly articleId: string;
  readonly language: string;
  readonly title: string;
  readonly description: string;
  /** Absolute where the address of the site is configured. */
  readonly url: string;
  /** Titles of its categories, outermost first. */
  readonly categoryPath: readonly string[];
  readonly tags: readonly string[];
  /** ISO 8601 in UTC; `''` where it is not known. */
  readonly updatedAt: string;
  /** Markdown below the title. */
  readonly markdown: string;
  /** Of title and Markdown. */
  readonly hash: string;
  /** Rules of the injection flags. */
  readonly flags: readonly string[];
}

/** What exports say of a passage of an article. */
export interface ExportPassage {
  readonly id: string;
  readonly uuid: string;
  readonly documentId: string;
  readonly articleId: string;
  readonly language: string;
  readonly title: string;
  /** Titles of its categories, outermost first. */
  readonly categoryPath: readonly string[];
  readonly tags: readonly string[];
  /** ISO 8601 in UTC; `''` where it is not known. */
  readonly updatedAt: string;
  /** Whether it is of a translation that is older than its source. */
  readonly isOutdated: boolean;
  /** With the anchor of its heading. */
  readonly url: string;
  readonly headingPath: readonly string[];
  readonly type: string;
  /** Place among the passages of the article, from 1. */
  readonly seq: number;
  readonly previousId: string | null;
  readonly nextId: string | null;
  /** To show. */
  readonly text: string;
  /** To embed and to index: breadcrumb and text. */
  readonly embedText: string;
  readonly flags: readonly string[];
}

/** Reads a document record. The names of its fields are used nowhere else in an export. */
export function articleFields(record: DocumentRecord): ExportArticle {
  return {
    id: record.id,
    articleId: record.article_id,
    language: record.language,
    title: record.title,
    description: record.description ?? '',
    url: record.url,
    categoryPath: record.category?.path ?? [],
    tags: record.tags ?? [],
    updatedAt: record.updated_at ?? '',
    markdown: record.content.markdown,
    hash: record.hash,
    flags: [...new Set((record.flags ?? []).map(({ rule }) => rule))].sort(),
  };
}

/** Reads a chunk record. The names of its fields are used nowhere else in an export. */
export function passageFields(record: ChunkRecord): ExportPassage {
  return {
    id: record.id,
    uuid: record.uuid,
    documentId: record.document_id,
    articleId: record.article_id,
    language: record.language,
    title: record.title,
    categoryPath: record.category_path ?? [],
    tags: record.tags ?? [],
    updatedAt: record.updated_at ?? '',
    isOutdated: record.translation_outdated,
    url: record.url,
    headingPath: record.heading_path ?? [],
    type: record.type,
    seq: record.seq,
    previousId: record.prev ?? null,
    nextId: record.next ?? null,
    text: record.text,
    embedText: record.embed_text,
    flags: record.flags ?? [],
  };
}

/** Fields of a passage that targets store beside its text, all flat; every one of them is always there. */
export function passageMetadata(passage: ExportPassage) {
  return {
    document_id: passage.documentId,
    article_id: passage.articleId,
    language: passage.language,
    title: passage.title,
    url: passage.url,
    category_path: passage.categoryPath,
    heading_path: passage.headingPath,
    tags: passage.tags,
    updated_at: passage.updatedAt,
    translation_outdated: passage.isOutdated,
    type: passage.type,
    seq: passage.seq,
    flags: passage.flags,
  };
}

/** Fields of an article that targets store beside its text; empty ones are omitted. */
export function articleMetadata(article: ExportArticle): Record<string, string | readonly string[]> {
  const fields = {
    id: article.id,
    article_id: article.articleId,
    language: article.language,
    title: article.title,
    url: article.url,
    category: article.categoryPath.join(' › '),
    updated_at: article.updatedAt,
    hash: article.hash,
    tags: article.tags,
    flags: article.flags,
    description: article.description,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value.length > 0));
}

/** An article as a Markdown file: its title, its address, where that is absolute, and its text. */
export function articleMarkdown({ title, url, markdown }: ExportArticle): string {
  const heading = `# ${title.replaceAll(/[\\`*_[\]<>&]/g, '\\$&')}`;
  const source = isAbsolute(url) ? [`<${url}>`] : [];
  return `${[heading, ...source, markdown.trimEnd()].join('\n\n')}\n`;
}

/** Whether an address is one that a reader elsewhere can follow. */
export function isAbsolute(url: string): boolean {
  return /^https?:\/\//.test(url);
}
