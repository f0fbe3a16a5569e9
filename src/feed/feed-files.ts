import { getOrMake } from '../core/group-by.ts';
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
  /** Written before the text of each page. */
  readonly headings: readonly string[];
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
  const paths = new Map<string | null, readonly string[]>();
  const pathOf = ({ articleId }: FeedPage): readonly string[] => {
    const categoryId = plan.articles.get(articleId)?.categoryId ?? null;
    return getOrMake(paths, categoryId, () => pathOfArticle(plan, tag, articleId));
  };
  const pages = inSiteOrder(plan, language).flatMap((id) => pageOf.get(id) ?? []);
  const site = siteOf(plan);
  const plain = { head: '', separator: '', tail: '', headings: [] };
  const source = { head: sourceHead(site, tag), separator: sourceSeparator, tail: sourceTail(pages.length) };
  const text = {
    ...plain,
    form: 'text',
    head: textHead({ language: tag, name, title }, site.url, plan.languages.length),
    headings: categoryHeadings(pages.map(pathOf)),
  } as const;
  return {
    ...{ language, pages },
    files: [
      { ...plain, path: storedIn(tag, 'document'), form: 'document' },
      { ...plain, path: storedIn(tag, 'chunks'), form: 'chunks' },
      { ...plain, ...source, path: storedIn(tag, 'source'), form: 'source' },
      { ...text, path: storedIn(tag, 'text') },
      { ...text, path: fullTextPath(plan, tag) },
    ],
  };
}

/** Size of the records of pages, in bytes. */
export function recordBytes(pages: readonly FeedPage[]): number {
  return pages.reduce((sum, { bytes }) => sum + bytes.document + bytes.chunks, 0);
}

/** The pages of a language by hash, and where the text of each begins in the file of every form. */
interface TextStarts {
  readonly hashes: readonly string[];
  readonly starts: Readonly<Record<TextForm, readonly number[]>>;
}

/** Where the files of a feed have the texts of their pages. */
export type FeedIndex = Readonly<Record<LanguageTag, TextStarts>>;

/** Finds a text of a page. */
type FindText = (page: FeedPage, form: TextForm) => FileRange | null;

/**
 * Finds the texts in the files of the previous output.
 * @param index of the previous output; nothing is found in a file that was edited or deleted since
 */
export function openPreviousTexts(index: FeedIndex, output: Pick<Output, 'findPrevious'>) {
  const languages = new Map(
    Object.entries(index).map(([language, { hashes, starts }]) => {
      const fileOf = (form: TextForm) => output.findPrevious(storedIn(language, form));
      const own = { document: fileOf('document'), chunks: fileOf('chunks'), text: fileOf('text') };
      return [
        language,
        {
          starts,
          positions: new Map(hashes.map((hash, at) => [hash, at])),
          files: { ...own, source: fileOf('source') },
          isComplete: Object.values(own).every((file) => file !== null),
        },
      ];
    }),
  );
  return {
    index,
    find({ language, hash, bytes }: FeedPage, form: TextForm): FileRange | null {
      const known = languages.get(language);
      const at = known?.positions.get(hash);
      if (known === undefined || at === undefined) return null;
      const stored = form === 'source' && known.files.source === null ? 'document' : form;
      const file = known.files[stored];
      return file === null ? null : { file, start: known.starts[stored][at] as number, bytes: bytes[form] };
    },
    /** Whether all texts of a page are there: otherwise its article must be rendered again. */
    has({ language, hash }: FeedPage): boolean {
      const known = languages.get(language);
      return known?.isComplete === true && known.positions.has(hash);
    },
  };
}

/** Path of the file where the next run finds the texts of a language. */
function storedIn(language: LanguageTag, form: TextForm): string {
  return `feed/${language}/${storedNames[form]}`;
}

const storedNames = {
  document: 'documents.jsonl',
  chunks: 'chunks.jsonl',
  text: 'source.txt',
  source: 'source.json',
} as const;

/** A text of a page that was rendered in this run. @param range of all its texts ({@link encodeTexts}) */
export function textIn({ bytes }: FeedPage, form: TextForm, { file, start }: FileRange): FileRange {
  const before = forms.slice(0, form === 'source' ? 0 : forms.indexOf(form));
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
  const index: Record<LanguageTag, TextStarts> = {};
  for (const { language, pages, files } of languages) {
    const hashes = pages.map(({ hash }) => hash);
    let known = last[language.tag];
    await writeOnce(`feed ${language.tag}`, [hashes, files], async () => {
      const starts: Record<TextForm, readonly number[]> = { document: [], chunks: [], text: [], source: [] };
      for (const file of files) starts[file.form] = await writeFile(file, pages, output, findText);
      known = { hashes, starts };
      return { files };
    });
    if (known === undefined) throw new Error(`nothing is known of the feed in ${language.tag}`);
    index[language.tag] = known;
  }
  return index;
}

/** Returns where the text of each page begins. Texts that follow each other in the previous output are copied together. */
async function writeFile(
  { path, form, head, separator, tail, headings }: FeedFile,
  pages: readonly FeedPage[],
  output: Pick<Output, 'open'>,
  findText: FindText,
): Promise<readonly number[]> {
  const starts: number[] = [];
  const file = await output.open(path);
  await file.write(head);
  let end = Buffer.byteLength(head);
  /** Texts that are not copied yet. */
  let found = null as FileRange | null;
  for (const [at, page] of pages.entries()) {
    const text = findText(page, form);
    if (text === null) throw new Error(`${page.articleId} has no text for ${path}`);
    const heading = headings[at] ?? '';
    const between = (at === 0 ? '' : separator) + heading;
    end += Buffer.byteLength(between);
    starts.push(end);
    end += text.bytes;
    // At this distance, a file has nothing but a separator between two texts.
    const next = found === null ? -1 : found.start + found.bytes + separator.length;
    if (heading === '' && found?.file === text.file && text.start === next) {
      found = { ...found, bytes: text.start + text.bytes - found.start };
    } else {
      if (found !== null) await file.copy(found);
      await file.write(between);
      found = text;
    }
  }
  if (found !== null) await file.copy(found);
  await file.write(tail);
  await file.close();
  return starts;
}
