import { hash } from 'node:crypto';
import { deserialize } from 'node:v8';
import type { LanguageTag } from '../core/model.ts';
import type { FileRange } from '../output/output.ts';
import type { Site } from '../site/pages/site.ts';
import { partOf } from '../site/plan/parts.ts';
import type { SearchEntry } from '../site/search/search-entry.ts';
import {
  articleFilePaths,
  makeSearchPart,
  readSearchIndex,
  renderSearchIndex,
  type SearchIndexOptions,
  type SearchPart,
  splitSearchPart,
} from '../site/search/search-index.ts';
import type { KeptTerms } from '../site/search/term-line.ts';
import type { PartRecord, SearchRecord } from './build-record.ts';
import type { PlannedBuild } from './plan-build.ts';
import type { RenderedPage } from './rendered-article.ts';

/** Name of the product that has the search files of a language. */
function searchProduct(language: LanguageTag): string {
  return `search ${language}`;
}

/**
 * Finds out in which languages the search files of the last build are as it left them. The texts and terms of articles are only in them, so all
 * articles of another language must be rendered again.
 */
export function createSearchCheck({
  last,
  staging,
}: Pick<PlannedBuild, 'last' | 'staging'>): (language: LanguageTag) => boolean {
  const known = new Map<LanguageTag, boolean>();
  return (language) => {
    const files = last?.products[searchProduct(language)]?.files ?? [];
    const isIntact = known.get(language) ?? files.every((path) => staging.findPrevious(path) !== null);
    known.set(language, isIntact);
    return isIntact;
  };
}

/**
 * Writes the search index of every language in which a page changed. Parts without a changed page are read from the last one; the others are made of
 * the entries of the rendered pages, and of those that their last version has.
 * @param pages in the order of the plan
 * @param rendered entries of the pages that were rendered
 */
export async function writeSearch(
  run: PlannedBuild,
  site: Site,
  pages: ReadonlyMap<LanguageTag, readonly RenderedPage[]>,
  rendered: ReadonlyMap<RenderedPage, FileRange>,
): Promise<SearchRecord> {
  const { staging, settings, products, lastSearch, searchBits: bits } = run;
  const languages: Record<LanguageTag, Readonly<Record<number, PartRecord>>> = {};
  for (const [language, ofLanguage] of pages) {
    const hashes = ofLanguage.map(({ searchHash }) => searchHash);
    const recordBefore = lastSearch?.languages[language] ?? {};
    languages[language] = recordBefore;
    await products.make(searchProduct(language), [bits, hashes], async () => {
      const options = site.searchIndexOptions(language, bits);
      const groups = groupByPart(ofLanguage, bits).map(([part, ofPart]) => ({
        ...{ part, ofPart },
        key: hash('sha256', [settings, bits, ...ofPart.map(({ searchHash }) => searchHash)].join(' ')),
      }));
      const unchanged = new Set(
        groups.flatMap(({ part, key }) => (recordBefore[part]?.key === key ? part : [])),
      );
      const last = await openLastIndex(run, language, options, unchanged);
      const record: Record<number, PartRecord> = {};
      const paths = new Set<string>();
      const parts: SearchPart[] = [];
      for (const { part, ofPart, key } of groups) {
        const known = unchanged.has(part) ? last.parts.get(part) : undefined;
        if (known !== undefined) {
          const files = articleFilePaths(options.folder, known.articleFiles);
          if ((await staging.reuseAll(files)) === null)
            for (const path of files) await staging.write(path, await last.read(path));
          parts.push(known);
          record[part] = recordBefore[part] as PartRecord;
          for (const path of files) paths.add(path);
          continue;
        }
        const entries: SearchEntry[] = [];
        for (const page of ofPart) {
          const range = rendered.get(page);
          entries.push(
            range === undefined ? await last.entryOf(page.articleId) : deserialize(staging.readRange(range)),
          );
        }
        const made = makeSearchPart(options.folder, part, entries);
        for (const { path, content } of made.files) {
          await staging.write(path, content);
          paths.add(path);
        }
        parts.push(made.part);
        const { topCategories } = made.part;
        record[part] = { key, ids: ofPart.map(({ articleId }) => articleId), topCategories };
      }
      for (const { path, content } of renderSearchIndex(parts, options, last.kept)) {
        if (!paths.has(path)) await staging.write(path, content);
        paths.add(path);
      }
      languages[language] = record;
      return { files: [...paths].map((path) => ({ path })) };
    });
  }
  return { bits, languages };
}

/**
 * Reads the index that the last build published in a language; it has no parts if some of its files are not as that build left them.
 * @param unchanged parts that are not made again
 */
async function openLastIndex(
  run: Pick<PlannedBuild, 'last' | 'lastSearch' | 'staging'>,
  language: LanguageTag,
  options: SearchIndexOptions,
  unchanged: ReadonlySet<number>,
): Promise<{
  readonly parts: ReadonlyMap<number, SearchPart>;
  readonly kept: KeptTerms | undefined;
  readonly read: (path: string) => Promise<Uint8Array>;
  /** The entry of an article that was not rendered in this run. */
  readonly entryOf: (articleId: string) => Promise<SearchEntry>;
}> {
  const { staging, lastSearch } = run;
  const record = lastSearch?.languages[language];
  const read = async (path: string) => (await staging.readPrevious(path)) ?? new Uint8Array();
  const { parts, kept } =
    record === undefined || !createSearchCheck(run)(language)
      ? { parts: new Map<number, SearchPart>() }
      : await readSearchIndex(
          options,
          (part) => unchanged.has(part),
          (part) => record[part]?.topCategories ?? [],
          read,
        );
  const entries = new Map<number, ReadonlyMap<string, SearchEntry>>();
  const entriesOf = async (number: number): Promise<ReadonlyMap<string, SearchEntry>> => {
    const part = parts.get(number);
    if (part === undefined) return new Map();
    const articles: string[] = [];
    for (const path of articleFilePaths(options.folder, part.articleFiles)) {
      const file = JSON.parse(String(await read(path))) as readonly unknown[];
      articles.push(...file.map((article) => JSON.stringify(article)));
    }
    const made = splitSearchPart(part, articles);
    const ids = record?.[number]?.ids ?? [];
    return new Map(ids.map((id, at) => [id, made[at] as SearchEntry]));
  };
  return {
    ...{ parts, kept, read },
    async entryOf(articleId) {
      const part = partOf(articleId, lastSearch?.bits ?? 0);
      const known = entries.get(part) ?? (await entriesOf(part));
      entries.set(part, known);
      const entry = known.get(articleId);
      if (entry === undefined)
        throw new Error(`part ${part} of the search in ${language} does not have ${articleId}`);
      return entry;
    },
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
