import type { ChunkRecord, DocumentRecord } from '../../feed/records/record-schemas.ts';

/** A passage of an article, as targets store it. */
export type ExportPassage = ReturnType<typeof passageFields>;

/** Reads the records of a passage. All fields are flat, and each one is always present. */
export function passageFields(document: DocumentRecord, chunk: ChunkRecord) {
  const { updated_at = '' } = document;
  // Databases would reject the whole batch for one text that is no date, or read it as they like.
  const isDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(updated_at);
  return {
    id: chunk.id,
    /** What platforms embed, search and show: title and headings, an empty line, and the passage as Markdown. */
    text: chunk.text,
    /** Number of tokens of the passage, counted by the tokenizer of the feed. */
    tokens: chunk.tokens,
    document_id: document.id,
    article_id: document.article_id,
    language: document.language,
    title: document.title,
    /** Absolute if the site URL is configured, with the anchor of its heading. */
    url: chunk.url,
    /** Titles of its categories, outermost first. */
    category_path: document.category?.path ?? [],
    heading_path: chunk.heading_path ?? [],
    tags: document.tags,
    /** ISO 8601 in UTC. */
    updated_at: isDate ? updated_at : null,
    /** Offset in the article's Markdown: sorts the passages of an article. */
    position: chunk.start,
    /** Rules of the injection flags that matched. */
    flags: chunk.flags ?? [],
  };
}

/** The fields that targets store besides id and text. */
export function passageMetadata({ id: _id, text: _text, tokens: _tokens, ...metadata }: ExportPassage) {
  return metadata;
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
