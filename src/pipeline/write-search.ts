import { hash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { LanguageTag } from '../core/model.ts';
import type { SearchPartRow } from '../output/database/build-database.ts';
import type { FileRange } from '../output/output.ts';
import type { Site } from '../site/pages/site.ts';
import { partOf } from '../site/plan/parts.ts';
import type { SearchEntry } from '../site/search/search-entry.ts';
import {
  articleFilePaths,
  makeSearchPart,
  renderSearchIndex,
  type SearchPart,
  splitSearchPart,
} from '../site/search/search-index.ts';
import type { PlannedBuild } from './plan-build.ts';
import type { RenderedPage } from './rendered-article.ts';

/** Name of the product that has the search files of a language. */
export function searchProduct(language: LanguageTag): string {
  return `search ${language}`;
}

/**
 * Writes the search index of every language in which a page changed. Parts without a changed page are read from the database; the others are made of
 * the entries of the rendered pages, and of those that their last version has.
 * @param pages in the order of files with many articles
 * @param rendered entries of the pages that were rendered
 */
export async function writeSearch(
  { database, staging, settings, products, parts: { searchBits: bits }, last }: PlannedBuild,
  site: Site,
  pages: ReadonlyMap<LanguageTag, readonly RenderedPage[]>,
  rendered: ReadonlyMap<RenderedPage, FileRange>,
): Promise<void> {
  for (const [language, ofLanguage] of pages) {
    const hashes = ofLanguage.map(({ searchHash }) => searchHash);
    await products.make(searchProduct(language), [bits, hashes], async () => {
      const options = site.searchIndexOptions(language, bits);
      const paths = new Set<string>();
      const parts: SearchPart[] = [];
      const changed: SearchPartRow[] = [];
      const lastEntry = createEntryReader(
        { database, staging },
        language,
        options.folder,
        last?.searchBits ?? bits,
      );
      const keys = new Map(database.readSearchKeys(language).map(({ part, key }) => [part, key]));
      for (const [part, ofPart] of groupByPart(ofLanguage, bits)) {
        const key = hash('sha256', [settings, bits, ...ofPart.map(({ searchHash }) => searchHash)].join(' '));
        if (keys.get(part) === key) {
          const known = decompress<StoredPart>(database.readSearchPart(language, part));
          const files = articleFilePaths(options.folder, known.content.articleFiles);
          if ((await staging.reuseAll(files)) !== null) {
            parts.push(known.content);
            for (const path of files) paths.add(path);
            continue;
          }
        }
        const entries: SearchEntry[] = [];
        for (const page of ofPart) {
          const range = rendered.get(page);
          entries.push(
            range === undefined ? await lastEntry(page.articleId) : deserialize(staging.readRange(range)),
          );
        }
        const made = makeSearchPart(options.folder, part, entries);
        for (const { path, content } of made.files) {
          await staging.write(path, content);
          paths.add(path);
        }
        parts.push(made.part);
        const stored: StoredPart = { content: made.part, ids: ofPart.map(({ articleId }) => articleId) };
        changed.push({ part, key, content: compress(stored) });
      }
      for (const { path, content } of renderSearchIndex(parts, options)) {
        if (!paths.has(path)) await staging.write(path, content);
        paths.add(path);
      }
      // Written last, because a part may be made of others, if their number is another one now.
      database.writeSearchParts(
        language,
        changed,
        parts.map(({ part }) => part),
      );
      return { files: [...paths].map((path) => ({ path })) };
    });
  }
  database.keepSearchLanguages([...pages.keys()]);
}

/** A part in the database. The texts of its articles are only in the output. */
interface StoredPart {
  readonly content: SearchPart;
  /** Ids of its articles, in order. */
  readonly ids: readonly string[];
}

/**
 * Finds entries in the parts of the last build.
 * @param folder of the language
 * @param bits those by which the articles were divided into these parts
 * @returns finds the entry of an article. Throws CACHE_DAMAGED
 */
function createEntryReader(
  { database, staging }: Pick<PlannedBuild, 'database' | 'staging'>,
  language: LanguageTag,
  folder: string,
  bits: number,
): (articleId: string) => Promise<SearchEntry> {
  const read = new Map<number, ReadonlyMap<string, SearchEntry>>();
  const readPart = async (part: number): Promise<ReadonlyMap<string, SearchEntry>> => {
    const { content, ids } = decompress<StoredPart>(database.readSearchPart(language, part));
    const articles: string[] = [];
    for (const path of articleFilePaths(folder, content.articleFiles)) {
      const file = JSON.parse(String(await staging.readPrevious(path))) as readonly unknown[];
      articles.push(...file.map((article) => JSON.stringify(article)));
    }
    const entries = splitSearchPart(content, articles);
    return new Map(ids.map((id, at) => [id, entries[at] as SearchEntry]));
  };
  return async (articleId) => {
    const part = partOf(articleId, bits);
    const entries = read.get(part) ?? (await readPart(part));
    read.set(part, entries);
    const entry = entries.get(articleId);
    if (entry === undefined)
      throw new Error(`part ${part} of the search in ${language} does not have ${articleId}`);
    return entry;
  };
}

/** Pages by part of the search index, in ascending order of parts: pages are in the order of ids, of which a part is a hash. */
function groupByPart(
  pages: readonly RenderedPage[],
  bits: number,
): readonly (readonly [part: number, pages: readonly RenderedPage[]])[] {
  const parts = new Map<number, RenderedPage[]>();
  for (const page of pages) {
    const part = partOf(page.articleId, bits);
    const own = parts.get(part) ?? [];
    parts.set(part, own);
    own.push(page);
  }
  return [...parts].sort(([one], [other]) => one - other);
}

/**
 * The fastest level, with a window of 1 MiB: the texts of a page repeat each other, and a long page is larger than the 32 KiB that deflate looks
 * back. The next level takes 1.8 times as long for a twelfth less.
 */
const compression = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 0, [constants.BROTLI_PARAM_LGWIN]: 20 },
} as const;

/** Compresses data of the search for the build database. Only this version of Node and of the program reads it. */
function compress(data: unknown): Uint8Array {
  return brotliCompressSync(serialize(data), compression);
}

function decompress<Data>(compressed: Uint8Array): Data {
  return deserialize(brotliDecompressSync(compressed)) as Data;
}
