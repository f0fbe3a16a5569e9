import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BuildCache, CachedBuild } from '../cache/build-cache.ts';
import { hashSharedMetadata } from '../cache/fingerprint.ts';
import type { BuildRecord } from '../cache/records.ts';
import type { ResolvedConfig } from '../config/schema.ts';
import { legacyFormats } from '../config/source-settings.ts';
import { startFeed } from '../feed/feed.ts';
import { type FeedReader, manifestPath, signaturePath } from '../feed/feed-reader.ts';
import { isDistinctive } from '../feed/guard/secrets.ts';
import type { FeedPosition } from '../feed/history/write-history.ts';
import { findSharedTexts } from '../feed/records/document-meta.ts';
import { parseSigningKey, type SigningKey, signManifest, validUntilMs } from '../feed/signature.ts';
import { readFileOrNull } from '../foundation/file-system.ts';
import type { SpillFile } from '../foundation/spill-file.ts';
import { createAnchorCheck } from '../links/anchors.ts';
import { createLinkResolver } from '../links/resolve-links.ts';
import type { Media } from '../media/media.ts';
import { withCompressedCopies, withCopyPaths } from '../output/compressed-copies.ts';
import { writeFileList } from '../output/file-list.ts';
import { createKeptFiles } from '../output/foreign-files.ts';
import { compareFiles } from '../output/last-output.ts';
import type { Staging } from '../output/staging.ts';
import { documentSettings, partitionSettings } from '../partitions/partition-settings.ts';
import { createPlanWork } from '../partitions/plan-work.ts';
import { publishPartitions } from '../partitions/publish-partitions.ts';
import { publishSearch } from '../partitions/publish-search.ts';
import { createBuildKeys, findStale, reusableRecord, reuseGroup } from '../partitions/reuse.ts';
import { chooseThreads, type WorkerPool } from '../partitions/worker-pool.ts';
import { planPartitions } from '../plan/partitions.ts';
import { publishRedirects } from '../redirects/publish-redirects.ts';
import { headerRules } from '../site/headers-file.ts';
import type { Source } from '../source/source.ts';
import type { BuildOptions } from './build-options.ts';
import { createRunSite, planRun } from './create-site.ts';
import { makeReport } from './make-report.ts';

/**
 * Stages the whole output of a knowledge base: plan → partitions (content → pages + feed + search runs) → files of all partitions →
 * redirects.
 * @throws LecternError
 */
export async function publish(
  config: ResolvedConfig,
  options: BuildOptions,
  source: Source,
  staging: Staging,
  { cache, last, inputs, media, since, pool, signingKey, spill }: PublishContext,
): Promise<Published> {
  const { knowledgeBase } = source;
  const planned = planRun(config, knowledgeBase, spill);
  const { plan } = planned;
  options.onProblems?.([...source.problems, ...planned.problems]);
  const partitions = planPartitions(plan, options.partitionSizes);
  const site = await createRunSite(config, plan, source, options.folder);
  const output = withCompressedCopies(staging, config.output.compress);
  const recorded: Staging['recorded'] = (paths) =>
    staging.recorded(withCopyPaths(paths, config.output.compress));
  const previous = since ?? { read: staging.readPrevious, open: staging.openPrevious };
  const apiKey = options.apiKey?.trim() ?? '';
  const feed = await startFeed(plan, partitions, config.feed, output, {
    excluded: knowledgeBase.excluded,
    generator: options.generator,
    builtAt: options.now,
    newFeedId: options.newFeedId ?? randomBytes(16).toString('hex'),
    lastFeed: cache.lastFeed(),
    spill,
    keyOccurrences: isDistinctive(apiKey) ? await source.findText(apiKey) : [],
    ...(since === null ? {} : { previous: since }),
    languages: config.languages ?? null,
    synonyms: config.site.synonyms,
    ...(pool.sectionOutput === null
      ? {}
      : { sectionOutput: pool.sectionOutput({ adopt: output.adopt, recorded, spill }) }),
    guard: options.allowMassDelete ? null : { maxDropPercent: config.source.maxDropPercent },
  });
  const anchors = createAnchorCheck(spill);
  const shared = findSharedTexts(plan);
  const sharedMetadata = hashSharedMetadata(source, shared);
  const keys = createBuildKeys(inputs, sharedMetadata, partitions);
  const basis = { inputs, bits: partitions.bits, rootHash: feed.previousRootHash };
  const reusable = reusableRecord(last, basis, staging);
  const links = documentSettings(config, source);
  const settings = partitionSettings(config, plan, partitions, site, links, staging.workspace());
  const stale = findStale(plan, partitions, keys, reusable);
  pool.start(
    settings,
    options.threads ?? chooseThreads(source.stats.bodyBytes, stale.length, partitions.articleIds.length),
  );
  let written = 0;
  const writeRest = async (): Promise<void> => {
    for await (const file of site.renderRest()) {
      await output.write(file.path, file.content);
      written += 1;
    }
  };
  const published = await publishPartitions(
    plan,
    partitions,
    stale,
    createPlanWork({
      plan,
      partitions,
      keys,
      shared,
      last: reusable,
      cache,
      site,
      feed,
      media,
      output,
      recorded,
      readBodies: source.readBodies,
      findRendered: pool.findRendered,
      resolverFor: createLinkResolver(plan, links),
    }),
    pool,
    {
      feed,
      anchors,
      media,
      output,
      cache,
      spill,
      whileRendering: writeRest,
      onArticles: (done) => options.onProgress?.({ kind: 'rendering', done, total: plan.articles.size }),
    },
  );
  options.onProgress?.({ kind: 'writing', done: written, total: null });
  const searching = publishSearch(
    site,
    partitions,
    published.search,
    inputs,
    reusable,
    output,
    pool.writeSearch(),
  );
  // A failure is handled below; without this, it would be an unhandled rejection until then.
  searching.catch(() => {});
  const summary = await feed.finish();
  if (signingKey !== null) {
    await signFeed(staging, signingKey, { ...summary, now: options.now }, config.feed.signatureHours);
  }
  const copied = await media.finish();
  const headers = headerRules(plan, {
    iframeHosts: config.content.iframeHosts,
    csp: config.headers.csp,
    feedback: config.site.feedback,
    statistics: config.site.statistics,
  });
  const redirects = await reuseGroup(reusable, 'redirects', inputs + sharedMetadata, staging, () =>
    publishRedirects(
      { plan, knowledgeBase, legacy: legacyFormats(config.source), headers, previous },
      config.redirects,
      staging,
    ),
  );
  const searchGroups = await searching;
  const problems = [
    ...source.problems,
    ...planned.problems,
    ...published.problems,
    ...copied.problems,
    ...redirects.problems,
    ...anchors.problems(),
    ...site.problems(),
    ...feed.problems(),
  ];
  await writeFileList(staging);
  const files = staging.files();
  const out = resolve(options.folder, config.out);
  const changedFiles = options.compareFiles
    ? await compareFiles(out, files, createKeptFiles(config.output.keep).has)
    : null;
  const report = makeReport({
    apiKey: options.apiKey,
    plan,
    excluded: knowledgeBase.excluded,
    hiddenTranslations: source.stats.hiddenTranslations,
    out,
    files,
    renderedPages: published.renderedPages,
    seq: summary.seq,
    changes: summary.changes,
    changedFiles,
    problems,
  });
  return {
    report,
    feed: { feedId: summary.feedId, seq: summary.seq },
    readRecord: () => ({
      report,
      inputs,
      hasDownloads: copied.hasDownloads,
      feed: { feedId: summary.feedId, seq: summary.seq },
      feedRootHash: summary.rootHash,
      bits: partitions.bits,
      partitions: published.readEntries(),
      groups: { ...searchGroups, ...(redirects.group === null ? {} : { redirects: redirects.group }) },
    }),
  };
}

/** The staged output. */
interface Published {
  readonly report: BuildRecord['report'];
  readonly feed: FeedPosition;
  /** Reads the part of the build record that is known before the swap. */
  readonly readRecord: () => Omit<BuildRecord, 'program' | 'fingerprint' | 'snapshot' | 'copies'>;
}

/** Data of earlier runs. */
interface PublishContext {
  readonly cache: BuildCache;
  /** The build that made the replaced output; `null` if unknown. */
  readonly last: CachedBuild | null;
  /** Result of `fingerprintInputs`. */
  readonly inputs: string;
  readonly media: Media;
  /** Renders partitions; not started yet. */
  readonly pool: WorkerPool;
  /** Signs the feed; `null`: no signature. */
  readonly signingKey: SigningKey | null;
  /** The published site whose feed this run continues; `null`: the replaced output. */
  readonly since: FeedReader | null;
  /** Keeps data that grows with the number of pages. */
  readonly spill: SpillFile;
}

/** The key that signs the feed of a run; `null`: no signature. @throws SIGNING_KEY_INVALID (exit 2) */
export function signingKeyOf({ signingKey }: Pick<BuildOptions, 'signingKey'>): SigningKey | null {
  return signingKey == null || signingKey === '' ? null : parseSigningKey(signingKey);
}

/** Signs the staged manifest. @param hours how long the signature is valid */
async function signFeed(
  staging: Pick<Staging, 'workspace' | 'write'>,
  key: SigningKey,
  run: { readonly feedId: string; readonly seq: number; readonly now: string },
  hours: number,
): Promise<void> {
  const manifest = readFileSync(join(staging.workspace().folder, manifestPath));
  const validUntil = new Date(Date.parse(run.now) + hours * 3_600_000).toISOString();
  await staging.write(signaturePath, signManifest(manifest, key, { ...run, validUntil }));
}

/**
 * Whether an output is already signed as this run would sign it: not at all without a key; with a key, if it signed the feed and the
 * signature is valid for more than half of the hours. Otherwise the feed is signed again, even if nothing changed.
 */
export function isSignedAsWanted(out: string, key: SigningKey | null, now: string, hours: number): boolean {
  const signature = readFileOrNull(join(out, signaturePath));
  if (key === null || signature === null) return key === null && signature === null;
  const untilMs = validUntilMs(readFileOrNull(join(out, manifestPath)) ?? Buffer.of(), signature, key);
  return untilMs !== null && untilMs - Date.parse(now) > (hours * 3_600_000) / 2;
}
