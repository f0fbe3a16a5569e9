import { createHash } from 'node:crypto';
import type { LanguageTag } from '../foundation/model.ts';
import { z } from '../foundation/schema.ts';
import type { Output, OutputFile } from '../output/output.ts';
import { fileAddress } from '../plan/page-url.ts';
import type { Partitions } from '../plan/partitions.ts';
import type { Plan, PlannedLanguage } from '../plan/plan.ts';
import type { FeedFileFacts } from './manifest.ts';
import type { DocumentRecord } from './records/record-schemas.ts';
import type { SectionFile } from './sections.ts';

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

/** The articles of one language in the source page, or a part of them, as JSON and as text. */
export interface SourcePart {
  readonly language: PlannedLanguage;
  readonly json: SectionFile;
  readonly text: SectionFile;
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

/** Writes the source page of all languages, and the list of each language that is in parts. */
export async function writeSourcePages(
  plan: Plan,
  partitions: Pick<Partitions, 'sourceBits' | 'isSourceWhole'>,
  output: Pick<Output, 'open' | 'write' | 'readStaged'>,
  parts: readonly SourcePart[],
): Promise<ReadonlyMap<string, FeedFileFacts>> {
  const facts = new Map<string, FeedFileFacts>();
  const isOnlyLanguage = plan.languages.length === 1;
  for (const language of plan.languages) {
    if ((partitions.sourceBits.get(language.tag) ?? 0) === 0) continue;
    const own = parts.filter((part) => part.language === language);
    const path = sourcePath(language.tag, '', isOnlyLanguage);
    await writeList(plan, [language], output, path, own);
    for (const extension of ['json', 'txt']) {
      facts.set(`${path}.${extension}`, { kind: 'source', language: language.tag, records: 0 });
    }
  }
  if (isOnlyLanguage) return facts;
  const { isSourceWhole } = partitions;
  if (isSourceWhole) await writeWhole(plan, output, parts);
  else await writeList(plan, plan.languages, output, 'feed/source', parts);
  const records = isSourceWhole ? parts.reduce((sum, { json }) => sum + json.records, 0) : 0;
  for (const path of ['feed/source.json', 'feed/source.txt']) facts.set(path, { kind: 'source', records });
  return facts;
}

async function writeWhole(
  plan: Plan,
  output: Pick<Output, 'open' | 'readStaged'>,
  parts: readonly SourcePart[],
): Promise<void> {
  const json = await output.open('feed/source.json');
  const text = await output.open('feed/source.txt');
  await json.write(sourceHead(plan, plan.languages));
  let isFirst = true;
  for (const part of parts) {
    const { path, bytes, headBytes, records } = part.json;
    if (records > 0 && !isFirst) await json.write(',\n');
    if (records > 0) isFirst = false;
    const end = bytes - Buffer.byteLength(sourceTail);
    await copyStaged(output, path, headBytes, end, json);
    await copyStaged(output, part.text.path, 0, part.text.bytes, text);
  }
  await json.write(sourceTail);
  await json.close();
  await text.close();
}

async function writeList(
  plan: Plan,
  languages: readonly PlannedLanguage[],
  output: Pick<Output, 'write'>,
  path: string,
  parts: readonly SourcePart[],
): Promise<void> {
  const files = parts.map(
    ({ language, json, text }): SourceFile => ({
      language: language.tag,
      ...(json.part === '' ? {} : { part: json.part }),
      articles: json.records,
      json: fileAddress(plan, json.path).url,
      text: fileAddress(plan, text.path).url,
    }),
  );
  await output.write(
    `${path}.json`,
    `${openHead(plan, languages)}],"files":[\n${files.map((file) => JSON.stringify(file)).join(',\n')}\n]}\n`,
  );
  await output.write(`${path}.txt`, sourceListText(files));
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

async function copyStaged(
  output: Pick<Output, 'readStaged'>,
  path: string,
  start: number,
  end: number,
  to: OutputFile,
): Promise<void> {
  let at = 0;
  for await (const block of output.readStaged(path)) {
    const from = Math.max(0, start - at);
    const until = Math.min(block.length, end - at);
    if (from < until) await to.write(block.subarray(from, until));
    at += block.length;
  }
}
