import { legacyFormats } from '../core/config/source-settings.ts';
import type { BuildReport } from '../core/report.ts';
import type { FeedSummary } from '../feed/feed.ts';
import type { FeedIndex } from '../feed/feed-files.ts';
import { writeFileList } from '../output/file-list.ts';
import type { WrittenFile } from '../output/output.ts';
import { createHiddenFinder } from '../site/links/hidden-records.ts';
import type { RenderedFile } from '../site/pages/assets.ts';
import type { Site } from '../site/pages/site.ts';
import { publishRedirects } from '../site/redirects/publish-redirects.ts';
import type { SearchRecord } from './build-record.ts';
import { hashFormerUrls } from './hash-source.ts';
import { makeReport } from './make-report.ts';
import { problemPlaces } from './open-source.ts';
import type { PlannedBuild } from './plan-build.ts';
import type { RenderedPages } from './render-articles.ts';
import { documentSettings } from './render-settings.ts';
import { writeSearch } from './write-search.ts';

/** The complete staged output. */
export interface Assembled {
  readonly report: BuildReport;
  readonly feed: FeedSummary;
  readonly feedIndex: FeedIndex;
  readonly search: SearchRecord;
  /** Whether images or files were requested from other servers. */
  readonly hasDownloads: boolean;
}

/** Writes the pages that list articles, and the rest of the site, if there is one; needs no rendered article. */
export async function writeListings({
  plan,
  site,
  staging,
  metadata,
  products,
}: PlannedBuild): Promise<void> {
  if (site === null) return;
  const writeAll = async (files: AsyncIterable<RenderedFile> | Iterable<RenderedFile>) => {
    const written: WrittenFile[] = [];
    for await (const file of files) written.push(await staging.write(file.path, file.content));
    return { files: written };
  };
  await products.make('pictures', [plan.siteTitle], () => writeAll(site.paintPictures()));
  for (const { name, language, dates, render } of site.renderListings()) {
    const shown = language === null ? metadata.all : metadata.languages[language];
    await products.make(name, [shown, dates], () => writeAll(render()));
  }
}

/** Writes the files that contain many articles: search index, feed, redirects, and the list of files. */
export async function assemble(run: PlannedBuild, rendered: RenderedPages): Promise<Assembled> {
  const { config, options, out, source, staging, media, plan, site, feed, anchors, products } = run;
  const { pages, texts, before, now } = rendered;
  options.onProgress?.({ kind: 'writing', done: 0, total: null });
  const search =
    site === null ? { bits: 0, languages: {} } : await writeSearch(run, site, pages, rendered.search);
  const { index, ...summary } = await feed.finish({
    ...{ pages, texts, before, now },
    previousTexts: run.previousTexts,
    metadata: run.metadata.languages,
    writeOnce: products.make,
  });
  const copied = await media.finish();
  if (site !== null) await writeRedirects(run, site);
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
      ? (staging.previous?.compare(files) ?? {
          added: Array.from(files, ({ path }) => path),
          changed: [],
          removed: [],
        })
      : null,
    problems: [
      ...source.problems,
      ...run.planProblems,
      ...rendered.problems,
      ...copied.problems,
      ...Object.values(products.made).flatMap(({ problems }) => problems),
      // Of a page that exists already, the elements outside of its text are not known.
      ...(site === null ? [] : anchors.problems()),
      ...(site?.problems() ?? []),
      ...feed.problems(),
    ],
  });
  return { report, feed: summary, feedIndex: index, search, hasDownloads: copied.hasDownloads };
}

async function writeRedirects(run: PlannedBuild, site: Site): Promise<void> {
  const { config, plan, source, staging, since, metadata, products } = run;
  const appended = site.appendedRedirects();
  const forget = run.options.forget?.paths ?? [];
  // What is forgotten is in the last ones.
  const key = [
    metadata.places,
    hashFormerUrls(source),
    appended,
    ...(forget.length > 0 ? [run.options.now, forget] : []),
  ];
  await products.make('redirects', key, () =>
    publishRedirects(
      {
        plan,
        knowledgeBase: source.knowledgeBase,
        legacy: legacyFormats(config.source, config.redirects.movedFrom),
        headers: site.headers,
        appended,
        readPrevious: since ?? staging.readPrevious,
        forget,
      },
      config.redirects,
      staging,
    ),
  );
}
