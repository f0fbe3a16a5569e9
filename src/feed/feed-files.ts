import type { LanguageTag } from '../core/model.ts';
import type { FileRange, Output, WrittenFile } from '../output/output.ts';
import type { Plan, PlannedLanguage } from '../site/plan/plan.ts';
import { pathOfArticle } from './records/document-meta.ts';
import { inSiteOrder } from './site-order.ts';
import {
  categoryHeadings,
  fullTextPath,
  siteOf,
  sourceHead,
  sourceSeparator,
  sourceTail,
  startOfRecord,
  textHead,
} from './source-pages.ts';

/** What one page adds to the feed's files with many articles. */
export interface FeedTexts {
  /** Its line of `documents.jsonl`, which begins with its article in `source.json`. */
  readonly document: string;
  /** Its lines of `chunks.jsonl`. */
  readonly chunks: string;
  /** Its section of `source.txt` and `llms-full.txt`. */
  readonly text: string;
}

/** The texts of a page, in the order in which a run keeps them. */
const forms = ['document', 'chunks', 'text'] as const satisfies (keyof FeedTexts)[];

/** `source` is the start of a document. */
type TextForm = (typeof forms)[number] | 'source';

/** The texts of a page in UTF-8. */
interface EncodedTexts {
  /** One after another. */
  readonly joined: Uint8Array;
  /** The size of each. */
  readonly bytes: FeedPage['bytes'];
}

let buffer = Buffer.alloc(0);

/** Encodes the texts of a page once: into a buffer for all pages, because measuring a text first takes as long as encoding it. */
export function encodeTexts({ document, chunks, text }: FeedTexts): EncodedTexts {
  const maxBytes = 3 * (document.length + chunks.length + text.length);
  if (buffer.length < maxBytes) buffer = Buffer.alloc(Math.max(1_000_000, maxBytes));
  let end = 0;
  const write = (one: string): number => {
    const size = buffer.write(one, end);
    end += size;
    return size;
  };
  const bytes = { document: write(document), chunks: write(chunks), text: write(text) };
  const source = bytes.document - Buffer.byteLength(document.slice(startOfRecord(document).length));
  return { joined: Uint8Array.from(buffer.subarray(0, end)), bytes: { ...bytes, source } };
}

/** A page of the feed, without its texts. */
export interface FeedPage {
  readonly articleId: string;
  readonly language: LanguageTag;
  /** Of its records: see `recordHash`. */
  readonly hash: string;
  /** As in its record; may be empty. */
  readonly description: string;
  /** Number of its chunks. */
  readonly chunks: number;
  /** Tokens of its Markdown. */
  readonly tokens: number;
  /** Sizes of its texts. */
  readonly bytes: Readonly<Record<TextForm, number>>;
}

/** Pages by language, in any order. */
export type FeedPages = ReadonlyMap<LanguageTag, readonly FeedPage[]>;

/** A file that contains many pages: a head, a text of each page, a tail. */
interface FeedFile {
  readonly path: string;
  readonly form: TextForm;
  readonly head: string;
  /** Written between the texts of two pages. */
  readonly separator: string;
  readonly tail: string;
  /** Written before the texts of some pages. */
  readonly before: ReadonlyMap<FeedPage, string>;
  /** Whether another file has the same texts, where the next run finds them. */
  readonly isCopy: boolean;
}

/** The files of one language. All have the same pages, in the order of the site. */
export interface LanguageFiles {
  readonly language: PlannedLanguage;
  readonly pages: readonly FeedPage[];
  readonly files: readonly FeedFile[];
}

/** Plans all files of a feed that contain many pages. Pure. */
export function planFeedFiles(plan: Plan, pages: FeedPages): readonly LanguageFiles[] {
  return plan.languages.map((language) => languageFiles(plan, language, pages.get(language.tag) ?? []));
}

function languageFiles(plan: Plan, language: PlannedLanguage, own: readonly FeedPage[]): LanguageFiles {
  const { tag, name, siteTitle: title } = language;
  const pageOf = new Map(own.map((page) => [page.articleId, page]));
  const pages = inSiteOrder(language).flatMap((id) => pageOf.get(id) ?? []);
  const headings = categoryHeadings(pages.map(({ articleId }) => pathOfArticle(plan, tag, articleId)));
  const site = siteOf(plan);
  const plain = { head: '', separator: '', tail: '', before: new Map<FeedPage, string>(), isCopy: false };
  const text = {
    ...plain,
    form: 'text',
    head: textHead({ language: tag, name, title }, site.url, plan.languages.length),
    before: new Map(pages.map((page, at) => [page, headings[at] ?? ''])),
  } as const;
  const source = { head: sourceHead(site, tag), separator: sourceSeparator, tail: sourceTail(pages.length) };
  return {
    ...{ language, pages },
    files: [
      { ...plain, path: storedIn(tag, 'document'), form: 'document' },
      { ...plain, path: storedIn(tag, 'chunks'), form: 'chunks' },
      { ...plain, ...source, path: `feed/${tag}/source.json`, form: 'source', isCopy: true },
      { ...text, path: storedIn(tag, 'text') },
      { ...text, path: fullTextPath(plan, tag), isCopy: true },
    ],
  };
}

/** Size of the records of pages, in bytes. */
export function recordBytes(pages: readonly FeedPage[]): number {
  return pages.reduce((sum, { bytes }) => sum + bytes.document + bytes.chunks, 0);
}

/** Where the text of each page begins in a file, by the hash of the page; nothing for a copy. */
type TextStarts = Readonly<Record<string, number>>;

/** The files of a feed that contain many pages, by path. */
export type FeedIndex = Readonly<Record<string, TextStarts>>;

/** Finds a text of a page. */
type FindText = (page: FeedPage, form: TextForm) => FileRange | null;

/** The texts in the files of the previous output. */
interface PreviousTexts {
  readonly index: FeedIndex;
  readonly find: FindText;
  /** Whether all texts of a page are there: otherwise its article must be rendered again. */
  readonly has: (page: FeedPage) => boolean;
}

/** @param index of the previous output; nothing is found in a file that was edited or deleted since */
export function openPreviousTexts(index: FeedIndex, output: Pick<Output, 'findPrevious'>): PreviousTexts {
  const files = new Map<string, string | null>();
  const fileAt = (path: string): string | null => {
    const file = files.get(path) ?? output.findPrevious(path);
    files.set(path, file);
    return file;
  };
  const find: FindText = ({ language, hash, bytes }, form) => {
    const path = storedIn(language, storedForm(form));
    const start = index[path]?.[hash];
    const file = start === undefined ? null : fileAt(path);
    return file === null || start === undefined ? null : { file, start, bytes: bytes[form] };
  };
  return { index, find, has: (page) => forms.every((form) => find(page, form) !== null) };
}

function storedForm(form: TextForm): (typeof forms)[number] {
  return form === 'source' ? 'document' : form;
}

/** Path of the file where the next run finds the texts of a language. */
function storedIn(language: LanguageTag, form: (typeof forms)[number]): string {
  return `feed/${language}/${storedNames[form]}`;
}

const storedNames = { document: 'documents.jsonl', chunks: 'chunks.jsonl', text: 'source.txt' };

/** A text of a page that was rendered in this run. @param range of all its texts ({@link encodeTexts}) */
export function textIn({ bytes }: FeedPage, form: TextForm, { file, start }: FileRange): FileRange {
  const before = forms.slice(0, forms.indexOf(storedForm(form)));
  return { file, start: before.reduce((sum, other) => sum + bytes[other], start), bytes: bytes[form] };
}

/**
 * Publishes the files of the last run again if they had the same key, and otherwise what `write` writes.
 * @param key everything that the files depend on besides settings
 */
export type WriteOnce = (
  name: string,
  key: readonly unknown[],
  write: () => Promise<{ readonly files: readonly Pick<WrittenFile, 'path'>[] }>,
) => Promise<void>;

/**
 * Writes planned files, each as a stream of its pages' texts.
 * @param last the files of the previous output
 * @returns what the next run needs
 */
export async function writeFeedFiles(
  languages: readonly LanguageFiles[],
  last: FeedIndex,
  output: Pick<Output, 'open'>,
  findText: FindText,
  writeOnce: WriteOnce,
): Promise<FeedIndex> {
  const index: Record<string, TextStarts> = {};
  for (const { pages, files } of languages) {
    for (const file of files) {
      const { path } = file;
      let starts = last[path];
      await writeOnce(path, keyOf(file, pages), async () => {
        starts = await writeFile(file, pages, output, findText);
        return { files: [{ path }] };
      });
      if (starts === undefined) throw new Error(`nothing is known of ${path}`);
      index[path] = starts;
    }
  }
  return index;
}

async function writeFile(
  { path, form, head, separator, tail, before, isCopy }: FeedFile,
  pages: readonly FeedPage[],
  output: Pick<Output, 'open'>,
  findText: FindText,
): Promise<TextStarts> {
  const starts: Record<string, number> = {};
  const file = await output.open(path);
  let end = 0;
  const write = async (text: string): Promise<void> => {
    if (text === '') return;
    await file.write(text);
    end += Buffer.byteLength(text);
  };
  await write(head);
  for (const [at, page] of pages.entries()) {
    const text = findText(page, form);
    if (text === null) throw new Error(`${page.articleId} has no text for ${path}`);
    await write((at === 0 ? '' : separator) + (before.get(page) ?? ''));
    if (!isCopy) starts[page.hash] = end;
    await file.copy(text);
    end += text.bytes;
  }
  await write(tail);
  await file.close();
  return starts;
}

function keyOf(
  { form, head, separator, tail, before }: FeedFile,
  pages: readonly FeedPage[],
): readonly unknown[] {
  return [form, head, separator, tail, pages.map((page) => [page.hash, before.get(page) ?? ''])];
}
