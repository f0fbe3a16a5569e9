import { hash } from 'node:crypto';
import { deserialize } from 'node:v8';
import { oncePerKey } from '../core/concurrency.ts';
import { groupBy } from '../core/group-by.ts';
import type { LanguageTag } from '../core/model.ts';
import type { FileRange } from '../output/output.ts';
import type { Site } from '../site/pages/site.ts';
import { partOf } from '../site/plan/parts.ts';
import { LastIndex } from '../site/search/last-index.ts';
import type { SearchEntry } from '../site/search/search-entry.ts';
import {
  articleFilePaths,
  countSections,
  makeSearchPart,
  renderSearchIndex,
  type SearchPart,
} from '../site/search/search-index.ts';
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
  return oncePerKey((language) => {
    const files = last?.products[searchProduct(language)]?.files ?? [];
    return files.every((path) => staging.findPrevious(path) !== null);
  });
}

/**
 * Writes the search index of every language in which a page changed. It has the entries of the rendered pages, and what the last one has of the others.
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
    const recordBefore = lastSearch?.languages[language];
    languages[language] = recordBefore ?? {};
    await products.make(searchProduct(language), [bits, hashes], async () => {
      const options = site.searchIndexOptions(language, bits);
      const read = async (path: string) => (await staging.readPrevious(path)) ?? new Uint8Array();
      const last =
        recordBefore !== undefined && createSearchCheck(run)(language)
          ? await LastIndex.open(options, recordBefore, read)
          : null;
      const record: Record<number, PartRecord> = {};
      const paths = new Set<string>();
      const parts: SearchPart[] = [];
      for (const [part, ofPart] of groupByPart(ofLanguage, bits)) {
        const key = hash('sha256', [settings, bits, ...ofPart.map(({ searchHash }) => searchHash)].join(' '));
        const before = recordBefore?.[part];
        if (last !== null && before?.key === key) {
          const known = last.keepPart(part);
          const files = articleFilePaths(options.folder, known.articleFiles);
          if ((await staging.reuseAll(files)) === null)
            for (const path of files) await staging.write(path, await read(path));
          parts.push(known);
          record[part] = before;
          for (const path of files) paths.add(path);
          continue;
        }
        const entries: SearchEntry[] = [];
        let sections = 0;
        for (const page of ofPart) {
          const range = rendered.get(page);
          const entry: SearchEntry | undefined =
            range === undefined
              ? await last?.keepArticle(page.articleId, part, sections)
              : deserialize(staging.readRange(range));
          if (entry === undefined) throw new Error(`nothing is known of ${page.articleId} in ${language}`);
          entries.push(entry);
          sections += countSections(entry.lengths);
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
      for (const { path, content } of renderSearchIndex(parts, options, await last?.readTerms())) {
        if (!paths.has(path)) await staging.write(path, content);
        paths.add(path);
      }
      languages[language] = record;
      return { files: [...paths].map((path) => ({ path })) };
    });
  }
  return { bits, languages };
}

/** Pages by part of the search index, in ascending order of parts: pages are in the order of ids, of which a part is a hash. */
function groupByPart(
  pages: readonly RenderedPage[],
  bits: number,
): readonly (readonly [part: number, pages: readonly RenderedPage[]])[] {
  const parts = groupBy(pages, ({ articleId }) => partOf(articleId, bits));
  return [...parts].sort(([one], [other]) => one - other);
}
