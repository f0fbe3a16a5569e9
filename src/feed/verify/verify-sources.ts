import { createHash, type Hash } from 'node:crypto';
import {
  isSourceWhole,
  type PartitionSizes,
  partitionName,
  partitionOf,
  sourceBits,
} from '../../plan/partitions.ts';
import type { ReadFeedFile } from '../feed-reader.ts';
import type { Manifest } from '../manifest.ts';
import type { DocumentRecord } from '../records/document-record.ts';
import { sha256 } from '../records/record-ids.ts';
import {
  type SourceFile,
  type SourcePage,
  sourceJson,
  sourceListText,
  sourcePage,
  sourceRecord,
  sourceText,
} from '../records/source-record.ts';
import { sourcePath } from '../source-pages.ts';
import type { ReportFinding } from './findings.ts';

/** How the articles of a feed were divided. */
export interface FeedPartitions {
  readonly bits: number;
  readonly sizes: PartitionSizes | undefined;
}

/** A larger file cannot be parsed in one piece; its hash and the documents are checked all the same. */
const maxBytes = 256 * 1024 * 1024;

/** What a file of the source page must hold, as JSON and as text. */
interface ExpectedPage {
  readonly language: string;
  readonly part: string;
  /** Hash of each article in order. */
  readonly articles: string[];
  readonly text: Hash;
}

/** Collects what the source pages must say, and compares. */
export interface ExpectedSources {
  /** Takes the documents in the order of the records. */
  add(document: DocumentRecord): void;
  check(read: ReadFeedFile, report: ReportFinding): Promise<void>;
}

/** Starts with the files of languages that are not divided. */
export function expectSources(
  { site, languages }: Manifest,
  { bits, sizes }: FeedPartitions,
): ExpectedSources {
  const isOnlyLanguage = languages.length === 1;
  const bitsOf = new Map(
    languages.map(({ language, documents }) => [language, sourceBits(documents, bits, sizes)] as const),
  );
  const pages = new Map<string, ExpectedPage>();
  const pageOf = (language: string, part: string): ExpectedPage => {
    const path = sourcePath(language, part, isOnlyLanguage);
    const page = pages.get(path) ?? { language, part, articles: [], text: createHash('sha256') };
    pages.set(path, page);
    return page;
  };
  for (const [language, count] of bitsOf) if (count === 0) pageOf(language, '');
  const all: ExpectedPage = { language: '', part: '', articles: [], text: createHash('sha256') };

  return {
    add(document) {
      const { language, article_id } = document;
      const count = bitsOf.get(language) ?? 0;
      const record = sourceRecord(document);
      const hash = sha256(sourceJson(record, JSON.stringify(record.text)));
      const text = sourceText(record);
      for (const page of [pageOf(language, partitionName(partitionOf(article_id, count), count)), all]) {
        page.articles.push(hash);
        page.text.update(text);
      }
    },

    async check(read, report) {
      const listOf = (tags: readonly string[]): readonly SourceFile[] =>
        tags.flatMap((tag) =>
          [...pages]
            .filter(([, { language }]) => language === tag)
            .map(([path, { language, part, articles }]) => ({
              language,
              ...(part === '' ? {} : { part }),
              articles: articles.length,
              json: `${site.url}${path}.json`,
              text: `${site.url}${path}.txt`,
            })),
        );
      const checkPage = async (
        path: string,
        ofLanguages: readonly string[],
        { articles, text }: Pick<ExpectedPage, 'articles'> & { readonly text: string },
        files?: readonly SourceFile[],
      ) => {
        const textBytes = await read(`${path}.txt`);
        if (textBytes !== null && createHash('sha256').update(textBytes).digest('hex') !== text) {
          report('HASH_WRONG', `${path}.txt`, 'its text does not follow from the documents');
        }
        const bytes = await read(`${path}.json`);
        if (bytes === null || bytes.length > maxBytes) return;
        const page = parsePage(bytes);
        if (page === null) {
          report('RECORD_INVALID', `${path}.json`, 'it does not follow the schema of a source page');
          return;
        }
        const isOwn = JSON.stringify([page.site, page.languages]) === JSON.stringify([site, ofLanguages]);
        if (!isOwn) report('HASH_WRONG', `${path}.json`, 'site or languages are not those of the manifest');
        const found = page.articles.map((article) => sha256(JSON.stringify(article)));
        if (found.length !== articles.length || found.some((hash, at) => hash !== articles[at])) {
          const message = `its ${found.length} articles are not the ${articles.length} documents, in their order`;
          report('COUNT_WRONG', `${path}.json`, message);
        }
        if (JSON.stringify(page.files) !== JSON.stringify(files)) {
          report('LINK_BROKEN', `${path}.json`, 'it does not list the files of the source page');
        }
      };
      const checkList = (path: string, ofLanguages: readonly string[]) => {
        const files = listOf(ofLanguages);
        return checkPage(path, ofLanguages, { articles: [], text: sha256(sourceListText(files)) }, files);
      };

      for (const [path, page] of pages) {
        await checkPage(path, [page.language], { ...page, text: page.text.digest('hex') });
      }
      for (const [language, count] of bitsOf) {
        const path = sourcePath(language, '', isOnlyLanguage);
        if (count > 0) await checkList(path, [language]);
      }
      if (isOnlyLanguage) return;
      const tags = languages.map(({ language }) => language);
      if (!isSourceWhole(all.articles.length, sizes)) await checkList('feed/source', tags);
      else await checkPage('feed/source', tags, { ...all, text: all.text.digest('hex') });
    },
  };
}

/** As it was published: the schema would drop fields. */
function parsePage(bytes: Uint8Array): SourcePage | null {
  try {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    const page = JSON.parse(text) as SourcePage;
    return sourcePage.strict().safeParse(page).success ? page : null;
  } catch {
    return null;
  }
}
