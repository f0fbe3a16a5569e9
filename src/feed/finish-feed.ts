import type { ExclusionReason, LanguageTag } from '../core/model.ts';
import type { Output, WrittenFile } from '../output/output.ts';
import { fileAddress, twinAddress } from '../site/plan/page-url.ts';
import type { Plan } from '../site/plan/plan.ts';
import type { LanguageFiles, WriteOnce } from './feed-files.ts';
import type { LimitedFeedSettings } from './feed-limits.ts';
import { addDayCounts, type DocumentCounts, guardRemovals } from './guard/guard-removals.ts';
import type { FeedPosition } from './history/feed-position.ts';
import type { FinishedHistory } from './history/write-history.ts';
import { type LlmsLanguage, type LlmsText, languageFiles, rootFiles } from './llms/llms-files.ts';
import { plainLine } from './llms/llms-sections.ts';
import { manifestPath, type ReadFeedFile, synonymsPath } from './read/feed-reader.ts';
import { formatManifest, listFiles, type Manifest } from './read/manifest.ts';
import { pathOfArticle } from './records/document-meta.ts';
import { jsonLine } from './records/json-lines.ts';
import { siteOf } from './source-pages.ts';

/** What was written before the files of the whole run. */
interface AddedDocuments {
  /** Manifest of the feed that this one continues. */
  readonly previous: Manifest | null;
  readonly files: readonly LanguageFiles[];
  readonly history: FinishedHistory;
  /** `run.state` */
  readonly state: string;
  readonly writeOnce: WriteOnce;
  /** Hash of the titles and places of the articles of each language. */
  readonly metadata: Readonly<Record<LanguageTag, string>>;
}

/** Writes the files of the whole run: `llms.txt`, synonyms and, last, the manifest. */
export async function finishFeed(
  plan: Plan,
  settings: LimitedFeedSettings,
  output: Output,
  options: FeedOptions,
  added: AddedDocuments,
): Promise<void> {
  assertComplete(added.files);
  const { maxDropPercent = null, languages = null, synonyms = [] } = options;
  if (maxDropPercent !== null)
    guardRemovals(added.previous, documentsOf(added), added.history, languages, maxDropPercent);
  await writeLlms(plan, settings, output, added);
  if (synonyms.length > 0) {
    await output.write(synonymsPath, synonyms.map((words) => jsonLine({ words })).join(''));
  }
  const manifest = makeManifest(plan, settings, output, options, added);
  await output.write(manifestPath, formatManifest(manifest));
}

async function writeLlms(
  plan: Plan,
  settings: LimitedFeedSettings,
  output: Output,
  { files: ofLanguages, metadata, writeOnce }: AddedDocuments,
): Promise<void> {
  const site = {
    ...{ title: plan.siteTitle, summary: settings.summary },
    urlOf: (path: string) => fileAddress(plan, path).url,
    languages: ofLanguages.map(({ language: { tag, name }, pages }) => ({
      ...{ language: tag, name },
      articles: pages,
    })),
  };
  const writeAll = async (texts: Iterable<LlmsText>) => {
    const files: WrittenFile[] = [];
    for (const [path, text] of texts) files.push(await output.write(path, text));
    return { files };
  };
  const root = rootFiles(site);
  await writeOnce('llms', root, () => writeAll(root));
  for (const files of ofLanguages) {
    const { tag } = files.language;
    const shown = files.pages.map(({ articleId, description }) => [
      plan.articles.get(articleId)?.pages.get(tag)?.url,
      description,
    ]);
    await writeOnce(`llms ${tag}`, [site.languages.length, metadata[tag], shown], () =>
      writeAll(languageFiles(site, llmsLanguage(plan, files), settings.llmsChars)),
    );
  }
}

function llmsLanguage(
  plan: Plan,
  { language: { tag, name, siteTitle }, pages }: LanguageFiles,
): LlmsLanguage {
  const articles = pages.flatMap(({ articleId, description }) => {
    const page = plan.articles.get(articleId)?.pages.get(tag);
    if (page === undefined) return [];
    const { title } = page;
    return [
      { title, url: twinAddress(plan, page).url, description, path: pathOfArticle(plan, tag, articleId) },
    ];
  });
  return { language: tag, name, title: siteTitle, articles };
}

/** Checks that the feed contains every public article. A page that was planned and never added is a bug. */
function assertComplete(files: readonly LanguageFiles[]): void {
  for (const { language, pages } of files) {
    const planned = language.articleIds.length;
    if (pages.length !== planned)
      throw new Error(
        `${planned} articles are planned in ${language.tag}, and ${pages.length} were added to the feed`,
      );
  }
}

function makeManifest(
  plan: Plan,
  settings: LimitedFeedSettings,
  output: Output,
  options: FeedOptions,
  added: AddedDocuments,
): Manifest {
  const { history, state } = added;
  const { maxDropPercent = null } = options;
  const all = listFiles(output.files(), history.bases);
  // A site that exists already may have an llms.txt of its own.
  const files = options.isInPlace ? all.filter(({ path }) => path.startsWith('feed/')) : all;
  return {
    schema: 'lectern/manifest/3',
    generator: options.generator,
    site: {
      ...siteOf(plan),
      ...(settings.summary === undefined ? {} : { summary: plainLine(settings.summary) }),
    },
    run: {
      feed_id: history.feedId,
      seq: history.seq,
      ...(options.builtAt === null ? {} : { built_at: options.builtAt }),
      state,
      recent: addDayCounts(
        maxDropPercent === null ? undefined : added.previous?.run.recent,
        documentsOf(added),
        options.builtAt,
      ),
    },
    ...(history.firstSeq > history.seq ? {} : { changes: { first: history.firstSeq, last: history.seq } }),
    languages: added.files.map(({ language: { tag, name, siteTitle }, pages }) => ({
      ...{ language: tag, name, title: siteTitle, documents: pages.length },
      chunks: pages.reduce((sum, { chunks }) => sum + chunks, 0),
      tokens: pages.reduce((sum, { tokens }) => sum + tokens, 0),
    })),
    files: [...files],
  };
}

function documentsOf({ files }: Pick<AddedDocuments, 'files'>): DocumentCounts {
  return new Map(files.map(({ language, pages }) => [language.tag, pages.length]));
}

/** Options of a feed besides the plan. */
export interface FeedOptions {
  /** Articles that exist but are not public, with the reason (`KnowledgeBase.excluded`). */
  readonly excluded: ReadonlyMap<string, ExclusionReason>;
  /** Name and version of this program, e.g. `lectern 0.1.0`. */
  readonly generator: string;
  /** Time of the run, ISO 8601 in UTC; only the manifest contains it. `null` omits it. */
  readonly builtAt: string | null;
  /** Id of this feed if it does not continue the previous one: 32 random hex digits. */
  readonly newFeedId: string;
  /** The feed of the last build according to the cache; absent or `null` if unknown. */
  readonly lastFeed?: FeedPosition | null;
  /** Articles to erase from the feed's history; absent: none. */
  readonly forget?: readonly string[];
  /** Source of the previous feed if it is not the previous output, e.g. its published URL. */
  readonly previous?: ReadFeedFile;
  /** Languages that the configuration names; absent or `null`: all languages. */
  readonly languages?: readonly LanguageTag[] | null;
  /** Groups of equivalent search words; absent: none. */
  readonly synonyms?: readonly (readonly string[])[];
  /** Whether the pages exist already, in a site that may have other files at paths outside of `feed/`; absent: no. */
  readonly isInPlace?: boolean;
  /** Largest loss of documents since the previous feed that is published, in total and per language; absent or `null`: any. */
  readonly maxDropPercent?: number | null;
}
