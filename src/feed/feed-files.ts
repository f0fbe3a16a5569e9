import { hash } from 'node:crypto';
import type { LanguageTag } from '../core/model.ts';
import type { Output, OutputFile } from '../output/output.ts';
import type { Plan, PlannedLanguage } from '../site/plan/plan.ts';
import { pathOfArticle } from './records/document-meta.ts';
import type { DocumentRecord } from './records/record-schemas.ts';
import { inSiteOrder } from './site-order.ts';
import { categoryHeadings, siteOf, sourceHead, sourceTail, sourceText, textHead } from './source-pages.ts';

/** What one page adds to the feed's files with many articles. */
export interface FeedTexts {
  /** Its record, with a line feed. */
  readonly document: string;
  /** Its lines of `chunks.jsonl`. */
  readonly chunks: string;
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
  /** Sizes of its records, in bytes. */
  readonly documentBytes: number;
  readonly chunkBytes: number;
}

/** Pages by language, in any order. */
export type FeedPages = ReadonlyMap<LanguageTag, readonly FeedPage[]>;

/** A file that contains many pages: a head, a text of each page, a tail. */
interface FeedFile {
  readonly path: string;
  readonly form: keyof typeof forms;
  readonly head: string;
  /** Written between the texts of two pages. */
  readonly separator: string;
  readonly tail: string;
  /** Written before the texts of some pages. */
  readonly before: ReadonlyMap<FeedPage, string>;
}

/** How each file has the texts of a page. */
const forms = {
  documents: ({ document }: FeedTexts) => document.trimEnd(),
  chunks: ({ chunks }: FeedTexts) => chunks,
  text: ({ document }: FeedTexts) => sourceText(JSON.parse(document) as DocumentRecord),
};

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
  const plain = { head: '', separator: '', tail: '', before: new Map<FeedPage, string>() };
  return {
    ...{ language, pages },
    files: [
      {
        path: `feed/${tag}/source.json`,
        form: 'documents',
        ...{ head: sourceHead(site, tag), separator: ',\n', tail: sourceTail, before: new Map() },
      },
      { ...plain, path: `feed/${tag}/chunks.jsonl`, form: 'chunks' },
      {
        ...plain,
        path: `feed/${tag}/source.txt`,
        form: 'text',
        head: textHead({ language: tag, name, title }, site.url, plan.languages.length),
        before: new Map(pages.map((page, at) => [page, headings[at] ?? ''])),
      },
    ],
  };
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
 * @param last keys of the previous output's files
 * @param readTexts reads what a page adds; called at most once per page, and only if a file of its language is written
 * @returns the keys for the next run
 */
export async function writeFeedFiles(
  languages: readonly LanguageFiles[],
  last: FileKeys,
  output: Pick<Output, 'open' | 'reuseAll'>,
  readTexts: (page: FeedPage) => FeedTexts,
): Promise<FileKeys> {
  const keys: Record<string, string> = {};
  for (const { pages, files } of languages) {
    const opened: { readonly planned: FeedFile; readonly file: OutputFile }[] = [];
    for (const planned of files) {
      const { path } = planned;
      const key = keyOf(planned, pages);
      keys[path] = key;
      if (last[path] === key && (await output.reuseAll([path])) !== null) continue;
      opened.push({ planned, file: await output.open(path) });
    }
    for (const { planned, file } of opened) await file.write(planned.head);
    for (const [at, page] of opened.length === 0 ? [] : pages.entries()) {
      const texts = readTexts(page);
      for (const { planned, file } of opened) {
        const { separator, before, form } = planned;
        await file.write((at === 0 ? '' : separator) + (before.get(page) ?? '') + forms[form](texts));
      }
    }
    for (const { planned, file } of opened) {
      await file.write(planned.tail);
      await file.close();
    }
  }
  return keys;
}

function keyOf({ form, head, separator, tail, before }: FeedFile, pages: readonly FeedPage[]): string {
  const ofPages = pages.map((page) => [page.hash, before.get(page) ?? '']);
  return hash('sha256', JSON.stringify([form, head, separator, tail, ofPages]));
}
