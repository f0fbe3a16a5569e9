import { hash } from 'node:crypto';
import type { LanguageTag } from '../core/model.ts';
import type { Output, OutputFile } from '../output/output.ts';
import { partOf } from '../site/plan/parts.ts';
import type { Plan, PlannedLanguage } from '../site/plan/plan.ts';
import { fullText, fullTextHead, fullTextPath } from './llms/full-text.ts';
import type { DocumentRecord } from './records/record-schemas.ts';
import { type SourceRecord, sourceHead, sourceTail, sourceText } from './source-pages.ts';

/** What one page adds to the feed's files with many articles. */
export interface FeedTexts {
  /** Its line of `documents.jsonl`. */
  readonly document: string;
  /** Its lines of `chunks.jsonl`. */
  readonly chunks: string;
  /** Its object in `source.json`, without a separator. */
  readonly source: string;
}

/** A page of the feed, without its texts. */
export interface FeedPage {
  readonly articleId: string;
  readonly language: LanguageTag;
  /** SHA-256 of its records. */
  readonly hash: string;
  /** SHA-256 of its text in the source page, which contains no dates. */
  readonly sourceHash: string;
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
  readonly form: keyof typeof forms;
  readonly head: string;
  /** Written between the texts of two pages. */
  readonly separator: string;
  readonly tail: string;
  readonly pages: readonly FeedPage[];
}

/** How the texts of a page are written into a file. */
const forms = {
  documents: ({ document }: FeedTexts) => document,
  chunks: ({ chunks }: FeedTexts) => chunks,
  sourceJson: ({ source }: FeedTexts) => source,
  sourceText: ({ source }: FeedTexts) => sourceText(JSON.parse(source) as SourceRecord),
  fullText: ({ document }: FeedTexts) => fullText(JSON.parse(document) as DocumentRecord),
} as const;

/** Largest sizes of files. */
interface FileLimits {
  /** Larger files of records are divided; in MB. */
  readonly maxFileMb: number;
}

/** Plans all files of a feed that contain many pages of one language. Pure. */
export function planFeedFiles(plan: Plan, pages: FeedPages, limits: FileLimits): readonly FeedFile[] {
  return plan.languages.flatMap((language) => {
    const { tag } = language;
    const own = pages.get(tag) ?? [];
    return [
      ...recordFiles(tag, own, limits.maxFileMb * 1_000_000),
      ...sourceFiles(plan, language, own),
      fullTextFile(plan, language, own),
    ];
  });
}

const lines = { head: '', separator: '', tail: '' };

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

/** The chatbot source page as JSON and as text. */
function sourceFiles(plan: Plan, language: PlannedLanguage, pages: readonly FeedPage[]): FeedFile[] {
  const path = `feed/${language.tag}/source`;
  const json = { head: sourceHead(plan, language), separator: ',\n', tail: sourceTail };
  return [
    { path: `${path}.json`, form: 'sourceJson', ...json, pages },
    { path: `${path}.txt`, form: 'sourceText', ...lines, pages },
  ];
}

function fullTextFile(plan: Plan, language: PlannedLanguage, pages: readonly FeedPage[]): FeedFile {
  const head = fullTextHead(plan, language);
  return { ...lines, path: fullTextPath(plan, language.tag), form: 'fullText', head, pages };
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
 * @param pages of all files
 * @param last keys of the previous output's files
 * @param readTexts reads what a page adds; called once per page, and only if one of its files is written
 * @returns the keys for the next run
 */
export async function writeFeedFiles(
  files: readonly FeedFile[],
  pages: FeedPages,
  last: FileKeys,
  output: Pick<Output, 'open' | 'reuseAll'>,
  readTexts: (page: FeedPage) => FeedTexts,
): Promise<FileKeys> {
  const keys: Record<string, string> = {};
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
  for (const page of [...pages.values()].flat()) {
    const ofPage = writers.get(page);
    if (ofPage === undefined) continue;
    const texts = readTexts(page);
    for (const writer of ofPage) await writer.add(texts);
  }
  return keys;
}

function keyOf({ form, head, separator, tail, pages }: FeedFile): string {
  const isSource = form === 'sourceJson' || form === 'sourceText';
  const hashes = pages.map((page) => (isSource ? page.sourceHash : page.hash));
  return hash('sha256', JSON.stringify([head, separator, tail, ...hashes]));
}

/** Writes one file; it is open only from its first page to its last one. */
interface FileWriter {
  /** Adds the next page, and completes the file after the last one. */
  add(texts: FeedTexts): Promise<void>;
  finish(): Promise<void>;
}

function createWriter(
  { path, form, head, separator, tail, pages }: FeedFile,
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
    async add(texts) {
      const opened = await open();
      await opened.write((added === 0 ? head : separator) + forms[form](texts));
      added += 1;
      if (added === pages.length) await finish();
    },
    finish,
  };
}
