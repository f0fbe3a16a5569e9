import type { ChunkRecord, DocumentRecord } from '../feed/records/record-schemas.ts';

/** Fields of an article in one language, and of each of its passages. */
interface ExportItem {
  readonly id: string;
  readonly articleId: string;
  readonly language: string;
  readonly title: string;
  /** Absolute if the site URL is configured; for a passage, with the anchor of its heading. */
  readonly url: string;
  /** Titles of its categories, outermost first. */
  readonly categoryPath: readonly string[];
  readonly tags: readonly string[];
  /** ISO 8601 in UTC; `''` if unknown. */
  readonly updatedAt: string;
  /** Rules of the injection flags that matched. */
  readonly flags: readonly string[];
}

/** Fields of an article in one language. */
export interface ExportArticle extends ExportItem {
  readonly description: string;
  /** Markdown below the title. */
  readonly markdown: string;
  /** Hash of title and Markdown. */
  readonly hash: string;
}

/** Fields of a passage of an article. */
export interface ExportPassage extends ExportItem {
  readonly uuid: string;
  readonly documentId: string;
  /** Whether it belongs to a translation that is older than its source. */
  readonly isOutdated: boolean;
  readonly headingPath: readonly string[];
  readonly type: string;
  /** Position among the chunks of the article, from 1. */
  readonly seq: number;
  readonly previousId: string | null;
  readonly nextId: string | null;
  /** For display. */
  readonly text: string;
  /** For embedding and indexing: breadcrumb and text. */
  readonly embedText: string;
}

/** Reads a document record. The names of its fields are used nowhere else in an export. */
export function articleFields(record: DocumentRecord): ExportArticle {
  const flags = (record.flags ?? []).map(({ rule }) => rule);
  return {
    ...itemFields(record, record.category?.path, [...new Set(flags)].sort()),
    description: record.description ?? '',
    markdown: record.content.markdown,
    hash: record.hash,
  };
}

/** Reads a chunk record. The names of its fields are used nowhere else in an export. */
export function passageFields(record: ChunkRecord): ExportPassage {
  return {
    ...itemFields(record, record.category_path, record.flags),
    uuid: record.uuid,
    documentId: record.document_id,
    isOutdated: record.translation_outdated,
    headingPath: record.heading_path ?? [],
    type: record.type,
    seq: record.seq,
    previousId: record.prev ?? null,
    nextId: record.next ?? null,
    text: record.text,
    embedText: record.embed_text,
  };
}

function itemFields(
  record: DocumentRecord | ChunkRecord,
  categoryPath: readonly string[] = [],
  flags: readonly string[] = [],
): ExportItem {
  return {
    id: record.id,
    articleId: record.article_id,
    language: record.language,
    title: record.title,
    url: record.url,
    categoryPath,
    tags: record.tags ?? [],
    updatedAt: record.updated_at ?? '',
    flags,
  };
}

/** Fields of a passage that targets store besides its text, all flat; each one is always present. */
export function passageMetadata(passage: ExportPassage) {
  return {
    document_id: passage.documentId,
    ...itemMetadata(passage),
    heading_path: passage.headingPath,
    translation_outdated: passage.isOutdated,
    type: passage.type,
    seq: passage.seq,
  };
}

/** Fields of an article that targets store besides its text; empty ones are omitted. */
export function articleMetadata(article: ExportArticle): Record<string, string | readonly string[]> {
  const { category_path, ...shared } = itemMetadata(article);
  const fields = {
    id: article.id,
    ...shared,
    category: category_path.join(' › '),
    hash: article.hash,
    description: article.description,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value.length > 0));
}

function itemMetadata(item: ExportItem) {
  return {
    article_id: item.articleId,
    language: item.language,
    title: item.title,
    url: item.url,
    category_path: item.categoryPath,
    tags: item.tags,
    updated_at: item.updatedAt,
    flags: item.flags,
  };
}

/** Languages for which every text search engine here has a stemmer, by their common names. */
export const stemmedLanguages: Readonly<Record<string, string>> = {
  ar: 'arabic',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  fi: 'finnish',
  fr: 'french',
  hu: 'hungarian',
  it: 'italian',
  nb: 'norwegian',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sv: 'swedish',
  tr: 'turkish',
};

/** A language without region and script. */
export function baseLanguage(tag: string): string {
  return tag.toLowerCase().replace(/[^a-z].*$/, '');
}

/** An article as a Markdown file: its title, its URL if absolute, and its text. */
export function articleMarkdown({ title, url, markdown }: ExportArticle): string {
  const heading = `# ${title.replaceAll(/[\\`*_[\]<>&]/g, '\\$&')}`;
  const source = isAbsolute(url) ? [`<${url}>`] : [];
  return `${[heading, ...source, markdown.trimEnd()].join('\n\n')}\n`;
}

/** Whether a URL works outside of the site. */
export function isAbsolute(url: string): boolean {
  return /^https?:\/\//.test(url);
}
