import { createHash } from 'node:crypto';
import type { LanguageTag } from '../foundation/model.ts';
import { z } from '../foundation/schema.ts';
import type { Output } from '../output/output.ts';
import { fileAddress } from '../plan/page-url.ts';
import type { Parts } from '../plan/parts.ts';
import type { Plan, PlannedLanguage } from '../plan/plan.ts';
import type { FeedFileFacts } from './manifest.ts';
import type { DocumentRecord } from './records/record-schemas.ts';

/** One article in one language, as the chatbot source page lists it. Absent values are omitted, never null. */
const sourceArticle = z.object({
  id: z.string().describe('Document id, as in documents.jsonl.'),
  article_id: z.string().describe('Id of the article in the knowledge base, the same in every language.'),
  language: z.string().describe('BCP 47 tag.'),
  title: z.string(),
  url: z.string().describe('URL of the page.'),
  category_path: z.array(z.string()).describe('Category titles in this language, outermost first.'),
  tags: z.array(z.string()),
  updated_at: z.string().optional().describe('ISO 8601, UTC.'),
  hash: z.string().describe('SHA-256 of title and Markdown.'),
  tokens: z.int().describe('Tokens of the Markdown (see `tokenizer` in the manifest).'),
  text: z.string().describe('Plain text, one block per line.'),
});

/** A file that a source page lists: the articles of a language, or a part of them. */
const sourceFile = z.object({
  language: z.string(),
  part: z
    .string()
    .optional()
    .describe('If a language has several files: the first bits of SHA-256(article id), in hex.'),
  articles: z.int(),
  json: z.string().describe('URL of a source page with articles.'),
  text: z.string().describe('URL of the same page as plain text.'),
});

/** The whole `source.json`. */
export const sourcePage = z.object({
  schema: z.literal('lectern/source/1'),
  site: z.object({ title: z.string(), url: z.string(), default_language: z.string() }),
  languages: z.array(z.string()).describe('Languages of this file.'),
  articles: z.array(sourceArticle).describe('In the order of `languages`; empty if `files` is present.'),
  files: z.array(sourceFile).optional().describe('Files of the articles, if there are too many for one.'),
});

export type SourceRecord = z.output<typeof sourceArticle>;
export type SourceFile = z.output<typeof sourceFile>;
export type SourcePage = z.output<typeof sourcePage>;

const separatorChars = 72;

/** The line before and after the header of every article in `source.txt`; it occurs nowhere else in the file. */
export const articleSeparator = '='.repeat(separatorChars);

/** The fields of a document that are in the source page. */
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
 * One article of `source.txt`: separator line, header lines, separator line, text, empty line. A row of `=` in the text that equals the
 * separator is shortened, so splitting at the separator is always safe.
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

/**
 * Path without extension of a file of the source page. A single language needs no separate file.
 * @param part empty: the file that contains the whole language, or lists its parts
 */
export function sourcePath(language: LanguageTag, part: string, isOnlyLanguage: boolean): string {
  if (part !== '') return `feed/${language}/source/${part}`;
  return isOnlyLanguage ? 'feed/source' : `feed/${language}/source`;
}

export const sourceTail = '\n]}\n';

/** The start of a source page, before its first article. */
export function sourceHead(plan: Plan, languages: readonly PlannedLanguage[]): string {
  return `${openHead(plan, languages)}\n`;
}

/** How a feed names the site it belongs to. */
export function siteOf(plan: Plan): SourcePage['site'] {
  return {
    title: plan.siteTitle,
    url: fileAddress(plan, 'index.html').url,
    default_language: plan.defaultLanguage,
  };
}

/**
 * Writes the source pages that list files: of each language in several parts, and of all languages if they are too many for one page.
 * @param files all files with articles, in the order of the languages
 * @returns what the manifest says about the written pages, by path
 */
export async function writeSourceLists(
  plan: Plan,
  parts: Pick<Parts, 'sourceBits' | 'isSourceWhole'>,
  output: Pick<Output, 'write'>,
  files: readonly SourceFile[],
): Promise<ReadonlyMap<string, FeedFileFacts>> {
  const facts = new Map<string, FeedFileFacts>();
  const isOnlyLanguage = plan.languages.length === 1;
  const write = async (languages: readonly PlannedLanguage[], path: string, ofPage: FeedFileFacts) => {
    const tags = new Set(languages.map(({ tag }) => tag));
    const listed = files.filter(({ language }) => tags.has(language));
    const rows = listed.map((file) => JSON.stringify(file)).join(',\n');
    await output.write(`${path}.json`, `${openHead(plan, languages)}],"files":[\n${rows}\n]}\n`);
    await output.write(`${path}.txt`, sourceListText(listed));
    for (const extension of ['json', 'txt']) facts.set(`${path}.${extension}`, ofPage);
  };
  for (const language of plan.languages) {
    const { tag } = language;
    if ((parts.sourceBits.get(tag) ?? 0) === 0) continue;
    await write([language], sourcePath(tag, '', isOnlyLanguage), {
      kind: 'source',
      language: tag,
      records: 0,
    });
  }
  if (!isOnlyLanguage && !parts.isSourceWhole) {
    await write(plan.languages, 'feed/source', { kind: 'source', records: 0 });
  }
  return facts;
}

function openHead(plan: Plan, languages: readonly PlannedLanguage[]): string {
  const head: Omit<SourcePage, 'articles'> = {
    schema: 'lectern/source/1',
    site: siteOf(plan),
    languages: languages.map(({ tag }) => tag),
  };
  return `${JSON.stringify(head).slice(0, -1)},"articles":[`;
}

/** Hash of a page as it is written. Another parser would read a key that occurs twice differently. */
export function sourcePageHash({ articles, files, ...head }: SourcePage): string {
  const written = createHash('sha256').update(`${JSON.stringify(head).slice(0, -1)},"articles":[`);
  const rows: readonly object[] = files ?? articles;
  written.update(files === undefined ? '\n' : '],"files":[\n');
  for (const [at, row] of rows.entries()) written.update(`${at === 0 ? '' : ',\n'}${JSON.stringify(row)}`);
  return written.update('\n]}\n').digest('hex');
}
