import type { ChunkRecord, DocumentRecord } from '../../feed/records/record-schemas.ts';

/** Fields of a passage of an article. */
export interface ExportPassage {
  readonly id: string;
  readonly documentId: string;
  readonly articleId: string;
  readonly language: string;
  readonly title: string;
  /** Absolute if the site URL is configured, with the anchor of its heading. */
  readonly url: string;
  /** Titles of its categories, outermost first. */
  readonly categoryPath: readonly string[];
  readonly tags: readonly string[];
  /** ISO 8601 in UTC; `''` if unknown. */
  readonly updatedAt: string;
  readonly headingPath: readonly string[];
  /** Offset in the article's Markdown: sorts the passages of an article. */
  readonly position: number;
  /** Rules of the injection flags that matched. */
  readonly flags: readonly string[];
  /** What platforms embed, search and show: title and headings, an empty line, and the passage as Markdown. */
  readonly text: string;
  /** Number of tokens of the passage, counted by the tokenizer of the feed. */
  readonly tokens: number;
}

/** Reads the records of a passage. The names of their fields are used nowhere else in an export. */
export function passageFields(document: DocumentRecord, chunk: ChunkRecord): ExportPassage {
  const updatedAt = document.updated_at ?? '';
  // Databases would reject the whole batch for one text that is no date, or read it as they like.
  const isDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(updatedAt);
  return {
    id: chunk.id,
    documentId: document.id,
    articleId: document.article_id,
    language: document.language,
    title: document.title,
    url: chunk.url,
    categoryPath: document.category?.path ?? [],
    tags: document.tags,
    updatedAt: isDate ? updatedAt : '',
    headingPath: chunk.heading_path ?? [],
    position: chunk.start,
    flags: chunk.flags ?? [],
    text: chunk.text,
    tokens: chunk.tokens,
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
