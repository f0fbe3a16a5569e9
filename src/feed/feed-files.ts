import { hash } from 'node:crypto';
import type { LanguageTag } from '../foundation/model.ts';
import type { Output, OutputFile } from '../output/output.ts';
import { fileAddress } from '../plan/page-url.ts';
import { type Parts, partName, partOf } from '../plan/parts.ts';
import type { Plan, PlannedLanguage } from '../plan/plan.ts';
import { type FullTextOptions, planFullText } from './llms/full-text.ts';
import type { FeedFileFacts } from './manifest.ts';
import { sourceHead, sourcePath, sourceTail, writeSourceLists } from './source-pages.ts';

/** What one page adds to the feed's files with many articles. */
export interface FeedTexts {
  /** Its line of `documents.jsonl`. */
  readonly document: string;
  /** Its lines of `chunks.jsonl`. */
  readonly chunks: string;
  /** Its object in `source.json`, without a separator. */
  readonly sourceJson: string;
  /** Its part of `source.txt`. */
  readonly sourceText: string;
  /** Its part of `llms-full.txt`. */
  readonly fullText: string;
}

/** A page of the feed, without its texts. */
export interface FeedPage {
  readonly articleId: string;
  readonly language: LanguageTag;
  /** SHA-256 of its `FeedTexts`. */
  readonly hash: string;
  /** Number of its chunks. */
  readonly chunks: number;
  /** Tokens of its Markdown. */
  readonly tokens: number;
  /** Length of its part of `llms-full.txt`. */
  readonly fullTextChars: number;
}

/** Pages by language, in the order of `Parts.order`. */
export type FeedPages = ReadonlyMap<LanguageTag, readonly FeedPage[]>;

/** A file that contains many pages: a head, a text of each page, a tail. */
export interface FeedFile {
  readonly path: string;
  /** The part of a language, see `partName`; empty: the whole language, or several languages. */
  readonly part: string;
  readonly text: keyof FeedTexts;
  readonly head: string;
  /** Written between the texts of two pages. */
  readonly separator: string;
  readonly tail: string;
  readonly pages: readonly FeedPage[];
  /** What the manifest says about it; `null` if it is not in `feed/`. */
  readonly facts: FeedFileFacts | null;
}

/** Plans all files of a feed that contain many pages. Pure. @param llmsFullChars maximum characters of a part of `llms-full.txt` */
export function planFeedFiles(
  plan: Plan,
  parts: Parts,
  pages: FeedPages,
  llmsFullChars: number,
): readonly FeedFile[] {
  const files = plan.languages.flatMap((language) =>
    planLanguage(plan, parts, language, pages.get(language.tag) ?? [], llmsFullChars),
  );
  const [first] = plan.languages;
  const firstFullText = files.find(({ path }) => first !== undefined && path === fullTextPath(first.tag, 1));
  if (firstFullText !== undefined) files.push({ ...firstFullText, path: 'llms-full.txt' });
  if (plan.languages.length > 1 && parts.isSourceWhole) {
    const all = plan.languages.flatMap(({ tag }) => pages.get(tag) ?? []);
    const facts: FeedFileFacts = { kind: 'source', records: all.length };
    const file = { part: '', pages: all, facts };
    files.push({ ...file, ...jsonSource(plan, plan.languages), path: 'feed/source.json' });
    files.push({ ...file, ...textSource, path: 'feed/source.txt' });
  }
  return files;
}

const lines = { head: '', separator: '', tail: '' };
const textSource = { text: 'sourceText', ...lines } as const;

function jsonSource(plan: Plan, languages: readonly PlannedLanguage[]) {
  return {
    text: 'sourceJson',
    head: sourceHead(plan, languages),
    separator: ',\n',
    tail: sourceTail,
  } as const;
}

function planLanguage(
  plan: Plan,
  parts: Parts,
  language: PlannedLanguage,
  pages: readonly FeedPage[],
  llmsFullChars: number,
): FeedFile[] {
  const { tag } = language;
  const files: FeedFile[] = [];
  const sourceBits = parts.sourceBits.get(tag) ?? 0;
  const factsOf = (
    kind: 'documents' | 'chunks' | 'source',
    part: string,
    records: number,
  ): FeedFileFacts => ({
    kind,
    language: tag,
    ...(part === '' ? {} : { part }),
    records,
  });
  for (const [part, ofPart] of divide(pages, parts.fileBits.get(tag) ?? 0)) {
    const file = { part, pages: ofPart, ...lines };
    const pathOf = (kind: string) => `feed/${tag}/${kind}${part === '' ? '' : `/${part}`}.jsonl`;
    const chunks = ofPart.reduce((sum, page) => sum + page.chunks, 0);
    files.push(
      {
        ...file,
        text: 'document',
        path: pathOf('documents'),
        facts: factsOf('documents', part, ofPart.length),
      },
      { ...file, text: 'chunks', path: pathOf('chunks'), facts: factsOf('chunks', part, chunks) },
    );
  }
  for (const [part, ofPart] of divide(pages, sourceBits)) {
    const path = sourcePath(tag, part, plan.languages.length === 1);
    const file = { part, pages: ofPart, facts: factsOf('source', part, ofPart.length) };
    files.push(
      { ...file, ...jsonSource(plan, [language]), path: `${path}.json` },
      { ...file, ...textSource, path: `${path}.txt` },
    );
  }
  const options = fullTextOptions(plan, language, llmsFullChars);
  const groupOf = ({ articleId }: FeedPage) => partOf(articleId, sourceBits);
  for (const { pages: ofPart, ...file } of planFullText(options, pages, groupOf)) {
    files.push({ ...lines, ...file, part: '', text: 'fullText', pages: ofPart, facts: null });
  }
  return files;
}

/** Pages by part. A part without pages has no file, unless it is the only one. @param pages in the order of `Parts.order` */
function divide(
  pages: readonly FeedPage[],
  bits: number,
): readonly (readonly [part: string, pages: readonly FeedPage[]])[] {
  if (bits === 0) return [['', pages]];
  const parts = new Map<string, FeedPage[]>();
  for (const page of pages) {
    const part = partName(partOf(page.articleId, bits), bits);
    const known = parts.get(part);
    if (known === undefined) parts.set(part, [page]);
    else known.push(page);
  }
  return [...parts];
}

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

function keyOf({ head, separator, tail, pages }: FeedFile): string {
  return hash('sha256', JSON.stringify([head, separator, tail, ...pages.map((page) => page.hash)]));
}

/** Writes one file; it is open only from its first page to its last one. */
interface FileWriter {
  /** Adds the next page, and completes the file after the last one. */
  add(texts: FeedTexts): Promise<void>;
  finish(): Promise<void>;
}

function createWriter(
  { path, text, head, separator, tail, pages }: FeedFile,
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
      await opened.write((added === 0 ? head : separator) + texts[text]);
      added += 1;
      if (added === pages.length) await finish();
    },
    finish,
  };
}

/** Writes the source pages that only list files, of languages in several parts. @returns what the manifest says about them, by path */
export async function writeFeedLists(
  plan: Plan,
  parts: Parts,
  files: readonly FeedFile[],
  output: Pick<Output, 'write'>,
): Promise<ReadonlyMap<string, FeedFileFacts>> {
  const sources = files.filter(({ facts }) => facts?.kind === 'source' && facts.language !== undefined);
  const byText = (text: keyof FeedTexts) => sources.filter((file) => file.text === text);
  const texts = byText('sourceText');
  const listed = byText('sourceJson').map((json, at) => ({
    language: json.facts?.language ?? '',
    ...(json.part === '' ? {} : { part: json.part }),
    articles: json.pages.length,
    json: fileAddress(plan, json.path).url,
    text: fileAddress(plan, texts[at]?.path ?? '').url,
  }));
  return writeSourceLists(plan, parts, output, listed);
}

function fullTextPath(language: LanguageTag, part: number): string {
  return `${language}/llms-full${part === 1 ? '' : `-${part}`}.txt`;
}

/** Options of `llms-full.txt` for a language. */
export function fullTextOptions(
  plan: Pick<Plan, 'siteUrl' | 'basePath'>,
  { tag, name, siteTitle }: Pick<PlannedLanguage, 'tag' | 'name' | 'siteTitle'>,
  chars: number,
): FullTextOptions {
  return {
    chars,
    path: (part) => fullTextPath(tag, part),
    url: (part) => fileAddress(plan, fullTextPath(tag, part)).url,
    head: (part) =>
      [
        `# ${siteTitle}${part === 1 ? '' : ` (part ${part})`}`,
        `> Every help article of ${siteTitle} in ${name} (${tag}).`,
        `Other languages: ${fileAddress(plan, 'llms.txt').url}\n`,
      ].join('\n\n'),
  };
}
