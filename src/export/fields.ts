import type { ChunkRecord, DocumentRecord } from '../feed/records/record-schemas.ts';

/** Fields of an article in one language, and of each of its passages. */
interface ItemFields {
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
export interface ExportArticle extends ItemFields {
  /** Markdown below the title. */
  readonly markdown: string;
}

/** Fields of a passage of an article. */
export interface ExportPassage extends ItemFields {
  readonly documentId: string;
  readonly headingPath: readonly string[];
  readonly type: string;
  /** Offset in the article's Markdown: sorts the passages of an article. */
  readonly position: number;
  /** What platforms embed, search and show: title, headings and categories, an empty line, and the passage as plain text. */
  readonly text: string;
  /** Of the passage, by the feed's tokenizer. */
  readonly tokens: number;
}

/** Reads a document record. The names of its fields are used nowhere else in an export. */
export function articleFields(record: DocumentRecord): ExportArticle {
  const flags = (record.flags ?? []).map(({ rule }) => rule);
  return {
    ...itemFields(record),
    flags: [...new Set(flags)].sort(),
    markdown: record.markdown,
  };
}

/** Reads the chunk records of a document. The names of their fields are used nowhere else in an export. */
export function passageFields(
  document: DocumentRecord,
  chunks: readonly ChunkRecord[],
): readonly ExportPassage[] {
  const shared = itemFields(document);
  return chunks.map((chunk) => ({
    ...shared,
    id: chunk.id,
    url: chunk.url,
    flags: chunk.flags ?? [],
    documentId: document.id,
    headingPath: chunk.heading_path ?? [],
    type: chunk.type,
    position: chunk.start,
    text: chunk.text,
    tokens: chunk.tokens,
  }));
}

function itemFields(record: DocumentRecord): Omit<ItemFields, 'flags'> {
  const updatedAt = record.updated_at ?? '';
  return {
    id: record.id,
    articleId: record.article_id,
    language: record.language,
    title: record.title,
    url: record.url,
    categoryPath: record.category?.path ?? [],
    tags: record.tags,
    // Databases would reject the whole batch for one text that is no date, or read it as they like.
    updatedAt: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(updatedAt) ? updatedAt : '',
  };
}

/** Fields of a passage that targets store besides its text, all flat; each one is always present. */
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
    updated_at: passage.updatedAt === '' ? null : passage.updatedAt,
    type: passage.type,
    position: passage.position,
    flags: passage.flags,
  };
}

/** For stores without dates and null: `updated_at` as Unix time in seconds, so that filters can compare it; empty values are omitted. */
export function numericMetadata(
  passage: ExportPassage,
): Readonly<Record<string, string | number | readonly string[]>> {
  const { updated_at, ...fields } = passageMetadata(passage);
  const date = updated_at === null ? {} : { updated_at: Math.floor(Date.parse(updated_at) / 1000) };
  const filled = Object.entries(fields).filter(([, value]) => typeof value !== 'object' || value.length > 0);
  return { ...Object.fromEntries(filled), ...date };
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

/** Whether a URL works outside of the site. */
export function isAbsolute(url: string): boolean {
  return /^https?:\/\//.test(url);
}
