import { z } from '../../foundation/schema.ts';
import type { DocumentRecord } from './document-record.ts';

/** One article in one language, as the chatbot source page lists it. Absent values are omitted, never null. */
const sourceArticle = z.object({
  id: z.string().describe('Document id, as in documents.jsonl.'),
  article_id: z.string().describe('Id of the article in the knowledge base, the same in every language.'),
  language: z.string().describe('BCP 47 tag.'),
  title: z.string(),
  url: z.string().describe('Address of the page.'),
  category_path: z.array(z.string()).describe('Category titles in this language, outermost first.'),
  tags: z.array(z.string()),
  updated_at: z.string().optional().describe('ISO 8601, UTC.'),
  hash: z.string().describe('SHA-256 of title and Markdown: changes when, and only when, the content does.'),
  tokens: z.int().describe('Tokens of the Markdown (see `tokenizer` in the manifest).'),
  text: z.string().describe('Plain text, one block per line.'),
});

/** A file that a source page lists: a language, or a part of it. */
const sourceFile = z.object({
  language: z.string(),
  part: z.string().optional().describe('Of a language in several files.'),
  articles: z.int(),
  json: z.string().describe('Address of a source page that holds articles.'),
  text: z.string().describe('Address of the same as text.'),
});

/** The whole `source.json`. */
export const sourcePage = z.object({
  schema: z.literal('lectern/source/1'),
  site: z.object({ title: z.string(), url: z.string(), default_language: z.string() }),
  languages: z.array(z.string()).describe('Languages of this file.'),
  articles: z.array(sourceArticle).describe('In the order of `languages`; empty where `files` lists them.'),
  files: z
    .array(sourceFile)
    .optional()
    .describe('Where the articles are, if they are too many for one file.'),
});

export type SourceRecord = z.output<typeof sourceArticle>;
export type SourceFile = z.output<typeof sourceFile>;
export type SourcePage = z.output<typeof sourcePage>;

const separatorChars = 72;

/** The line before and after the header of every article of `source.txt`, and nowhere else in it. */
export const articleSeparator = '='.repeat(separatorChars);

/** The fields of a document that the source page has. */
export function sourceRecord(document: DocumentRecord): SourceRecord {
  const { id, article_id, language, title, url, tags, updated_at, hash, tokens, category, content } =
    document;
  return {
    id,
    article_id,
    language,
    title,
    url,
    category_path: category?.path ?? [],
    tags,
    ...(updated_at === undefined ? {} : { updated_at }),
    hash,
    tokens,
    text: content.text,
  };
}

/**
 * One article of `source.json`.
 * @param textJson JSON of its text
 */
export function sourceJson({ text, ...rest }: SourceRecord, textJson: string): string {
  return `${JSON.stringify(rest).slice(0, -1)},"text":${textJson}}`;
}

/**
 * One article of `source.txt`: separator line, header lines, separator line, text, empty line.
 * Splitting at the separator can never mix articles: a row of signs in the text that would make one is cut short.
 */
export function sourceText(record: SourceRecord): string {
  const header = [
    ['Title', record.title],
    ['URL', record.url],
    ['Language', record.language],
    ['Id', record.id],
    ['Category', record.category_path.join(' > ')],
    ['Tags', record.tags.join(', ')],
    ['Updated', record.updated_at ?? ''],
  ].filter(([, value]) => value !== '');
  return [
    articleSeparator,
    ...header.map(([name, value]) => `${name}: ${value?.replaceAll(/\s+/g, ' ')}`),
    articleSeparator,
    withoutSeparator(record.text.trimEnd()),
    '\n',
  ].join('\n');
}

/** A `source.txt` that lists files. */
export function sourceListText(files: readonly SourceFile[]): string {
  const blocks = files.map(({ language, part, articles, text }) =>
    [
      `Language: ${language}`,
      ...(part === undefined ? [] : [`Part: ${part}`]),
      `Articles: ${articles}`,
      `URL: ${text}\n\n`,
    ].join('\n'),
  );
  return blocks.join('');
}

function withoutSeparator(text: string): string {
  return text.includes(articleSeparator) ? text.replaceAll(/={72,}/g, articleSeparator.slice(1)) : text;
}
