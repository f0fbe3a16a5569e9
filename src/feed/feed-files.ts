import { hash } from 'node:crypto';
import { once } from '../core/concurrency.ts';
import type { LanguageTag } from '../core/model.ts';
import type { Output, OutputFile } from '../output/output.ts';
import { partOf } from '../site/plan/parts.ts';
import type { Plan, PlannedLanguage } from '../site/plan/plan.ts';
import { pathOfArticle } from './records/document-meta.ts';
import type { DocumentRecord } from './records/record-schemas.ts';
import { inSiteOrder } from './site-order.ts';
import {
  categoryHeadings,
  fullTextPath,
  siteOf,
  sourceHead,
  sourceRecord,
  sourceTail,
  sourceText,
  textHead,
} from './source-pages.ts';

/** What one page adds to the feed's files with many articles. */
export interface FeedTexts {
  /** Its line of `documents.jsonl`. */
  readonly document: string;
  /** Its lines of `chunks.jsonl`. */
  readonly chunks: string;
}

/** A page of the feed, without its texts. */
export interface FeedPage {
  readonly articleId: string;
  readonly language: LanguageTag;
  /** SHA-256 of its records. */
  readonly hash: string;
  /** Number of its chunks. */
  readonly chunks: number;
  /** Tokens of its Markdown. */
  readonly tokens: number;
  /** Sizes of its records, in bytes. */
  readonly documentBytes: number;
  readonly chunkBytes: number;
}

/** Pages by language, in the order of `Parts.order`. */
export type FeedPages = ReadonlyMap<LanguageTag, readonly FeedPage[]>;

/** A file that contains many pages: a head, a text of each page, a tail. */
interface FeedFile {
  readonly path: string;
  readonly form: keyof Forms;
  readonly head: string;
  /** Written between the texts of two pages. */
  readonly separator: string;
  readonly tail: string;
  readonly pages: readonly FeedPage[];
  /** Written before the texts of some pages. */
  readonly before: ReadonlyMap<FeedPage, string>;
}

/** How the texts of a page are written into files, made when the first one needs them. */
function formsOf({ document, chunks }: FeedTexts) {
  const record = once(() => JSON.parse(document) as DocumentRecord);
  return {
    documents: () => document,
    chunks: () => chunks,
    sourceJson: () => JSON.stringify(sourceRecord(record())),
    // Two files have it.
    sourceText: once(() => sourceText(record())),
  };
}

type Forms = ReturnType<typeof formsOf>;

/** Largest sizes of files. */
interface FileLimits {
  /** Larger files of records are divided; in MB. */
  readonly maxFileMb: number;
}

/**
 * Plans all files of a feed that contain many pages of one language: first the records, in the order of the pages, then what people and models
 * read from the beginning, in the order of the site. Pure.
 */
export function planFeedFiles(
  plan: Plan,
  pages: FeedPages,
  limits: FileLimits,
): readonly (readonly FeedFile[])[] {
  const { languages } = plan;
  return [
    languages.flatMap(({ tag }) => recordFiles(tag, pages.get(tag) ?? [], limits.maxFileMb * 1_000_000)),
    ...languages.map((language) => sourceFiles(plan, language, pages.get(language.tag) ?? [])),
  ];
}

const lines = { head: '', separator: '', tail: '', before: new Map<FeedPage, string>() };

/** One file of documents and one of chunks. Too large, each is divided by the first bits of SHA-256(article id). */
function recordFiles(language: LanguageTag, pages: readonly FeedPage[], maxBytes: number): FeedFile[] {
  const bytes = Math.max(sum(pages, 'documentBytes'), sum(pages, 'chunkBytes'));
  const bits = bytes <= maxBytes ? 0 : Math.ceil(Math.log2(bytes / maxBytes));
  return Array.from({ length: 2 ** bits }, (_, part) => {
    const name = bits === 0 ? '' : `/${part.toString(16).padStart(Math.ceil(bits / 4), '0')}`;
    const ofPart = bits === 0 ? pages : pages.filter(({ articleId }) => partOf(articleId, bits) === part);
    const folder = `feed/${language}`;
    return [
      { ...lines, path: `${folder}/documents${name}.jsonl`, form: 'documents', pages: ofPart } as const,
      { ...lines, path: `${folder}/chunks${name}.jsonl`, form: 'chunks', pages: ofPart } as const,
    ];
  }).flat();
}

/** The chatbot source page as JSON and as text, and the text once more where readers of `llms.txt` look for it. */
function sourceFiles(plan: Plan, language: PlannedLanguage, own: readonly FeedPage[]): FeedFile[] {
  const pageOf = new Map(own.map((page) => [page.articleId, page]));
  const categories = inSiteOrder(plan, language).flatMap((group) => group.categories);
  const pages = categories.flatMap(({ articleIds }) => articleIds.flatMap((id) => pageOf.get(id) ?? []));
  const headings = categoryHeadings(
    pages.map(({ articleId }) => pathOfArticle(plan, language.tag, plan.articles.get(articleId)?.categoryId)),
  );
  const before = new Map(pages.map((page, at) => [page, headings[at] ?? '']));
  const { tag, name, siteTitle: title } = language;
  const head = textHead({ language: tag, name, title }, siteOf(plan).url, plan.languages.length);
  const text = { ...lines, form: 'sourceText', head, pages, before } as const;
  return [
    {
      ...{ ...lines, path: `feed/${language.tag}/source.json`, form: 'sourceJson', pages },
      ...{ head: sourceHead(plan, language), separator: ',\n', tail: sourceTail },
    },
    { ...text, path: `feed/${language.tag}/source.txt` },
    { ...text, path: fullTextPath(plan, language.tag) },
  ];
}

/** The sum of a size of pages. */
export function sum(pages: readonly FeedPage[], size: keyof PickNumbers): number {
  return pages.reduce((total, page) => total + page[size], 0);
}

type PickNumbers = Pick<FeedPage, 'chunks' | 'tokens' | 'documentBytes' | 'chunkBytes'>;

/** Keys of files, by path: a file with the same key has the same bytes. */
export type FileKeys = Readonly<Record<string, string>>;

/**
 * Writes planned files, each as a stream of its pages' texts. A file with the key of the last run is published again without reading it.
 * @param groups files whose pages have one order
 * @param last keys of the previous output's files
 * @param readTexts reads what a page adds; called once per page and group, and only if one of its files is written
 * @returns the keys for the next run
 */
export async function writeFeedFiles(
  groups: readonly (readonly FeedFile[])[],
  last: FileKeys,
  output: Pick<Output, 'open' | 'reuseAll'>,
  readTexts: (page: FeedPage) => FeedTexts,
): Promise<FileKeys> {
  const keys: Record<string, string> = {};
  for (const files of groups) {
    const writers = new Map<FeedPage, FileWriter[]>();
    for (const file of files) {
      const key = keyOf(file);
      keys[file.path] = key;
      if (last[file.path] === key && (await output.reuseAll([file.path])) !== null) continue;
      const writer = createWriter(file, output);
      if (file.pages.length === 0) await writer.finish();
      for (const page of file.pages) {
        const ofPage = writers.get(page);
        if (ofPage === undefined) writers.set(page, [writer]);
        else ofPage.push(writer);
      }
    }
    for (const [page, ofPage] of writers) {
      const forms = formsOf(readTexts(page));
      for (const writer of ofPage) await writer.add(page, forms);
    }
  }
  return keys;
}

function keyOf({ form, head, separator, tail, pages, before }: FeedFile): string {
  const ofPages = pages.map((page) => [page.hash, before.get(page) ?? '']);
  return hash('sha256', JSON.stringify([form, head, separator, tail, ofPages]));
}

/** Writes one file; it is open only from its first page to its last one. */
interface FileWriter {
  /** Adds the next page, and completes the file after the last one. */
  add(page: FeedPage, forms: Forms): Promise<void>;
  finish(): Promise<void>;
}

function createWriter(
  { path, form, head, separator, tail, pages, before }: FeedFile,
  output: Pick<Output, 'open'>,
): FileWriter {
  let file: OutputFile | null = null;
  let added = 0;
  const open = async (): Promise<OutputFile> => {
    file ??= await output.open(path);
    return file;
  };
  const finish = async (): Promise<void> => {
    const opened = await open();
    if (added === 0) await opened.write(head);
    await opened.write(tail);
    await opened.close();
  };
  return {
    async add(page, forms) {
      const opened = await open();
      const start = (added === 0 ? head : separator) + (before.get(page) ?? '');
      await opened.write(start + forms[form]());
      added += 1;
      if (added === pages.length) await finish();
    },
    finish,
  };
}
