import { hash } from 'node:crypto';
import { legacyFormats } from '../core/config/source-settings.ts';
import type { LanguageTag } from '../core/model.ts';
import type { BuildReport } from '../core/report.ts';
import type { FeedSummary } from '../feed/feed.ts';
import type { FileKeys } from '../feed/feed-files.ts';
import { compareFiles } from '../output/compare-files.ts';
import { writeCompressedCopies } from '../output/compressed-copies.ts';
import { writeFileList } from '../output/file-list.ts';
import { createKeptFiles } from '../output/foreign-files.ts';
import { createHiddenFinder } from '../site/links/hidden-records.ts';
import type { RenderedFile } from '../site/pages/assets.ts';
import { headerRules, policySettings } from '../site/pages/headers-file.ts';
import type { Site } from '../site/pages/site.ts';
import { partOf } from '../site/plan/parts.ts';
import { publishRedirects } from '../site/redirects/publish-redirects.ts';
import {
  articleFilePaths,
  makeSearchPart,
  renderSearchIndex,
  type SearchPart,
} from '../site/search/search-index.ts';
import { type FileGroup, unlessUnchanged } from './build-record.ts';
import { hashRecent } from './hash-source.ts';
import { makeReport } from './make-report.ts';
import { problemPlaces } from './open-source.ts';
import type { PlannedBuild } from './plan-build.ts';
import type { RenderedPages } from './render-articles.ts';
import { documentSettings } from './render-settings.ts';
import {
  compressSearch,
  decompressFeedTexts,
  decompressSearchEntry,
  decompressSearchPart,
  type RenderedPage,
} from './rendered-article.ts';

/** Groups of files, by name. */
type FileGroups = Readonly<Record<string, FileGroup>>;

/** The complete staged output. */
export interface Assembled {
  readonly report: BuildReport;
  readonly feed: FeedSummary;
  /** Keys of the feed's files, by path. */
  readonly fileKeys: FileKeys;
  readonly groups: FileGroups;
  /** Whether images or files were requested from other servers. */
  readonly hasDownloads: boolean;
}

/** Writes the pages that list articles, and the rest of the site, if there is one; needs no rendered article. */
export async function writeListings(run: PlannedBuild): Promise<FileGroups> {
  const { site, source, staging, settings, metadata, last } = run;
  if (site === null) return {};
  const writeAll = async (files: AsyncIterable<RenderedFile> | Iterable<RenderedFile>) => {
    const written = [];
    for await (const file of files) written.push(await staging.write(file.path, file.content));
    return { files: written };
  };
  const ofListings = hash('sha256', settings + metadata);
  const ofRecent = hash('sha256', settings + metadata + hashRecent(source));
  return {
    listings: await unlessUnchanged(last?.groups.listings, ofListings, staging, () =>
      writeAll(site.renderListings()),
    ),
    recent: await unlessUnchanged(last?.groups.recent, ofRecent, staging, () =>
      writeAll(site.renderRecent()),
    ),
  };
}

/**
 * Writes the files that contain many articles: search index, feed, redirects, and the list of files.
 * @param listings result of {@link writeListings}
 */
export async function assemble(
  run: PlannedBuild,
  rendered: RenderedPages,
  listings: FileGroups,
): Promise<Assembled> {
  const { config, options, out, source, staging, media, plan, site, feed, anchors } = run;
  const pages = sortPages(run, rendered);
  const written = Object.values(listings).reduce((sum, { files }) => sum + files.length, 0);
  options.onProgress?.({ kind: 'writing', done: written, total: null });
  const search = site === null ? {} : await writeSearch(run, site, pages);
  const { keys, ...summary } = await writeFeed(run, rendered, pages);
  if (site !== null) await writeCompressedCopies(staging, config.output.compress);
  const copied = await media.finish();
  const redirects = site === null ? null : await writeRedirects(run, site);
  await writeFileList(staging);
  const files = staging.files();
  const report = makeReport({
    apiKey: options.apiKey,
    placeOf: problemPlaces(config, source, options.folder),
    mask: createHiddenFinder(documentSettings(config, source)).mask,
    plan,
    hasListings: site !== null,
    excluded: source.knowledgeBase.excluded,
    hidden: source.listSkippedTranslations().filter(({ reason }) => reason === 'hidden'),
    fileOf: source.fileOf,
    stats: source.stats,
    out,
    files,
    renderedPages: rendered.renderedPages,
    seq: summary.seq,
    changes: summary.changes,
    changedFiles: options.compareFiles
      ? await compareFiles(out, files, createKeptFiles(config.output.keep).has)
      : null,
    problems: [
      ...source.problems,
      ...run.planProblems,
      ...rendered.problems,
      ...copied.problems,
      ...(redirects?.problems ?? []),
      // Of a page that exists already, the elements outside of its text are not known.
      ...(site === null ? [] : anchors.problems()),
      ...(site?.problems() ?? []),
      ...feed.problems(),
    ],
  });
  const groups = { ...listings, ...search, ...(redirects === null ? {} : { redirects }) };
  return { report, feed: summary, fileKeys: keys, groups, hasDownloads: copied.hasDownloads };
}

type SortedPages = ReadonlyMap<LanguageTag, readonly RenderedPage[]>;

/** Pages by language, in the order of files with many articles. */
function sortPages({ plan, parts }: PlannedBuild, { pages }: RenderedPages): SortedPages {
  const sorted = new Map(plan.languages.map(({ tag }) => [tag, [] as RenderedPage[]]));
  for (const id of parts.order) for (const page of pages.get(id) ?? []) sorted.get(page.language)?.push(page);
  return sorted;
}

/** Writes the search index of every language in which a page changed. */
async function writeSearch(run: PlannedBuild, site: Site, pages: SortedPages): Promise<FileGroups> {
  const { database, staging, settings, last } = run;
  const { searchBits } = run.parts;
  const groups: Record<string, FileGroup> = {};
  for (const [language, ofLanguage] of pages) {
    const name = `search ${language}`;
    const hashes = ofLanguage.map(({ searchHash }) => searchHash);
    const key = hash('sha256', [settings, searchBits, ...hashes].join(' '));
    groups[name] = await unlessUnchanged(last?.groups[name], key, staging, async () => {
      const options = site.searchIndexOptions(language, searchBits);
      const paths = new Set<string>();
      const parts: SearchPart[] = [];
      for (const [part, ofPart] of groupByPart(ofLanguage, searchBits)) {
        const made = await writeSearchPart(run, options.folder, part, ofPart);
        for (const path of articleFilePaths(options.folder, made.articleFiles)) paths.add(path);
        parts.push(made);
      }
      for (const { path, content } of renderSearchIndex(parts, options)) {
        if (!paths.has(path)) await staging.write(path, content);
        paths.add(path);
      }
      return { files: [...paths].map((path) => ({ path })) };
    });
  }
  database.keepSearchParts([...pages.keys()], 2 ** searchBits);
  return groups;
}

/** Pages by part of the search index, in ascending order of parts: pages are in the order of ids, of which a part is a hash. */
function groupByPart(
  pages: readonly RenderedPage[],
  bits: number,
): readonly (readonly [part: number, pages: readonly RenderedPage[]])[] {
  const parts = new Map<number, RenderedPage[]>();
  for (const page of pages) {
    const part = partOf(page.articleId, bits);
    const known = parts.get(part);
    if (known === undefined) parts.set(part, [page]);
    else known.push(page);
  }
  return [...parts].sort(([one], [other]) => one - other);
}

/** Makes a part of a search index, or reads it from the database, and publishes its files of articles. */
async function writeSearchPart(
  { database, staging, settings, parts }: PlannedBuild,
  folder: string,
  part: number,
  pages: readonly RenderedPage[],
): Promise<SearchPart> {
  const language = pages[0]?.language ?? '';
  const hashes = pages.map(({ searchHash }) => searchHash);
  const key = hash('sha256', [settings, parts.searchBits, ...hashes].join(' '));
  const stored = database.readSearchPart(language, part);
  if (stored?.key === key) {
    const known = decompressSearchPart(stored.content);
    if ((await staging.reuseAll(articleFilePaths(folder, known.articleFiles))) !== null) return known;
  }
  const entries = pages.map(({ articleId }) =>
    decompressSearchEntry(database.readSearchText(articleId, language)),
  );
  const made = makeSearchPart(folder, part, entries);
  for (const { path, content } of made.files) await staging.write(path, content);
  database.writeSearchPart(language, part, key, compressSearch(made.part));
  return made.part;
}

async function writeFeed(
  { feed, database, last }: PlannedBuild,
  rendered: RenderedPages,
  pages: SortedPages,
) {
  const { before, now, secrets } = rendered;
  return feed.finish({
    ...{ pages, before, now, secrets },
    readTexts: ({ articleId, language }) => decompressFeedTexts(database.readFeedText(articleId, language)),
    lastKeys: last?.fileKeys ?? {},
  });
}

async function writeRedirects(run: PlannedBuild, site: Site): Promise<FileGroup> {
  const { config, plan, source, staging, since, settings, metadata, last } = run;
  const { iframeHosts } = config.content;
  const { csp } = config.headers;
  const appended = site.appendedRedirects();
  const key = hash('sha256', JSON.stringify([settings, metadata, appended]));
  const forget = run.options.forget?.paths ?? [];
  return unlessUnchanged(forget.length > 0 ? undefined : last?.groups.redirects, key, staging, () =>
    publishRedirects(
      {
        plan,
        knowledgeBase: source.knowledgeBase,
        legacy: legacyFormats(config.source),
        headers: headerRules(
          plan,
          policySettings(config.site, { iframeHosts, csp, noindex: config.noindex }),
        ),
        appended,
        readPrevious: since ?? staging.readPrevious,
        forget,
      },
      config.redirects,
      staging,
    ),
  );
}
