import { randomBytes } from 'node:crypto';
import type { ResolvedConfig } from '../core/config/schema.ts';
import { maxDropPercent } from '../core/config/source-settings.ts';
import type { Problem } from '../core/problems.ts';
import { type Feed, startFeed } from '../feed/feed.ts';
import { openPreviousTexts } from '../feed/feed-files.ts';
import { feedLimits } from '../feed/feed-limits.ts';
import { isDistinctive, refuseOwnKey } from '../feed/guard/secrets.ts';
import type { ReadFeedFile } from '../feed/read/feed-reader.ts';
import { findSharedTexts, type SharedTexts } from '../feed/records/document-meta.ts';
import { type AnchorCheck, createAnchorCheck } from '../site/links/anchors.ts';
import type { Media } from '../site/media/media.ts';
import type { KnownRelated } from '../site/pages/related.ts';
import type { Site } from '../site/pages/site.ts';
import { searchBits } from '../site/plan/parts.ts';
import type { Plan } from '../site/plan/plan.ts';
import type { Source } from '../source/source.ts';
import type { BuildOptions } from './build-options.ts';
import { type BuildRecord, readStored, type SearchRecord } from './build-record.ts';
import { createRunSite, planRun } from './create-site.ts';
import { hashSharedMetadata, type SharedMetadata } from './hash-source.ts';
import { problemPlaces } from './open-source.ts';
import { createProductMaker, type ProductMaker } from './products.ts';
import { readDetails } from './rendered-article.ts';
import type { Run, RunOutput } from './run.ts';

/** A build before its first page is rendered: its plan, and everything it works with. */
export interface PlannedBuild extends Omit<RunOutput, 'last'>, Pick<Run, 'cache' | 'out'> {
  readonly source: Source;
  readonly media: Media;
  /** Hash of program, settings and templates (`hashInputs`). */
  readonly settings: string;
  /** The published site whose feed this build continues; `null`: the replaced output. */
  readonly since: ReadFeedFile | null;
  readonly config: ResolvedConfig;
  readonly options: BuildOptions;
  readonly plan: Plan;
  readonly planProblems: readonly Problem[];
  /** See `searchBits`. */
  readonly searchBits: number;
  /** `null`: only the feed is made (`BuildOptions.isInPlace`). */
  readonly site: Site | null;
  readonly feed: Feed;
  readonly anchors: AnchorCheck;
  /** Texts that many articles share. */
  readonly shared: SharedTexts;
  readonly metadata: SharedMetadata;
  /** The last build if this one may reuse its files: it had the same settings, and published the feed that is continued. */
  readonly last: BuildRecord | null;
  readonly products: ProductMaker;
  /** The texts that the files of the replaced output have; none if this build may not reuse them. */
  readonly previousTexts: ReturnType<typeof openPreviousTexts>;
  /** What the last build knows of its search; `null` if this build may not reuse it. */
  readonly lastSearch: SearchRecord | null;
}

/**
 * Plans a build: every path, link and relation is decided before a page is rendered.
 * @param settings result of `hashInputs`
 * @throws what reading the knowledge base, `planSite`, `createSite` and `startFeed` throw; SECRET_FOUND
 */
export async function planBuild(
  run: Run,
  { database, staging, last }: RunOutput,
  settings: string,
  since: ReadFeedFile | null,
  options: BuildOptions,
): Promise<PlannedBuild> {
  const { config, cache, out } = run;
  const source = await run.readSource();
  const { knowledgeBase } = source;
  const apiKey = options.apiKey?.trim() ?? '';
  if (isDistinctive(apiKey)) refuseOwnKey(await source.findText(apiKey));
  const { plan, problems } = await planRun(config, source, options.folder, options.isInPlace);
  options.onProblems?.([...source.problems, ...problems], problemPlaces(config, source, options.folder));
  const shared = findSharedTexts(plan);
  const metadata = hashSharedMetadata(source, shared, plan);
  const before = last?.record.settings === settings ? last.record.metadata.languages : {};
  const knownRelated: KnownRelated = (id, language) =>
    before[language] === metadata.languages[language]
      ? (new Map(readDetails(database, id).shown.related).get(language) ?? null)
      : null;
  const site = options.isInPlace ? null : await createRunSite(config, plan, run.userFiles, knownRelated);
  const feed = await startFeed(plan, { ...feedLimits, ...config.feed }, staging, {
    excluded: knowledgeBase.excluded,
    generator: options.generator,
    builtAt: options.now,
    newFeedId: options.newFeedId ?? randomBytes(16).toString('hex'),
    lastFeed: readStored(database, 'published')?.feed ?? null,
    ...(since === null ? {} : { previous: since }),
    forget: options.forget?.articleIds ?? [],
    languages: config.languages ?? null,
    synonyms: config.site.synonyms,
    isInPlace: options.isInPlace ?? false,
    maxDropPercent: options.allowMassDelete ? null : maxDropPercent(config.source),
  });
  const feedIndex = readStored(database, 'feedIndex');
  const search = readStored(database, 'search');
  const isReusable =
    last?.record.settings === settings &&
    last.record.feedState === feed.previousState &&
    feedIndex !== null &&
    search !== null;
  return {
    ...{ config, cache, out, options, source, database, staging, settings, since },
    ...{ plan, site, feed, shared },
    searchBits: searchBits(plan, options.pagesPerPart),
    media: await run.openMedia(),
    planProblems: problems,
    anchors: createAnchorCheck(),
    metadata,
    last: isReusable ? last.record : null,
    products: createProductMaker(settings, isReusable ? last.record.products : null, staging),
    previousTexts: openPreviousTexts(isReusable ? feedIndex : {}, staging),
    lastSearch: isReusable ? search : null,
  };
}
