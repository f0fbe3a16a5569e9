import { resolve } from 'node:path';
import { createAnchorCheck } from './anchor-check.ts';
import { renderArticles } from './articles/render-articles.ts';
import type { BuildOptions } from './build-options.ts';
import type { ResolvedConfig } from './config/schema.ts';
import { createFeed } from './feed/feed.ts';
import { openFeedMemory } from './feed/feed-memory.ts';
import type { FeedReader } from './feed/feed-reader.ts';
import { isDistinctive } from './feed/secret-guard.ts';
import { fingerprintFaces } from './last-run/fingerprint.ts';
import { makeReport } from './make-report.ts';
import { openMedia } from './open-media.ts';
import { compareFiles } from './output/compare-files.ts';
import { withCompressedCopies } from './output/compressed-copies.ts';
import type { Staging } from './output/staging.ts';
import type { Plan } from './plan/plan.ts';
import { publishRedirects } from './redirects/publish-redirects.ts';
import { openArticleCache } from './render/article-cache.ts';
import { chooseThreads } from './render/choose-threads.ts';
import type { BuildReport } from './report.ts';
import { headerRules } from './site/headers-file.ts';
import type { Source } from './source/source.ts';
import { createRunSite, planRun } from './stages.ts';
import type { ArticleRecords } from './standing/article-records.ts';
import { keepableRedirects, keepRedirects } from './standing/keep-redirects.ts';

/**
 * Stages everything a knowledge base is published as: plan → content → site + feed → redirects.
 * @throws LecternError with the code of whatever stopped it
 */
export async function publish(
  config: ResolvedConfig,
  options: BuildOptions,
  source: Source,
  staging: Staging,
  { engine, inputs, records, since }: PublishMeans,
): Promise<Published> {
  const { knowledgeBase } = source;
  const planned = planRun(config, knowledgeBase);
  const { plan } = planned;
  options.onProblems?.([...source.problems, ...planned.problems]);
  const { scratch, readPreviousNow } = staging;
  const site = await createRunSite(config, plan, source, options.folder, scratch, readPreviousNow);
  const cacheFolder = resolve(options.folder, config.cache);
  const output = withCompressedCopies(staging, config.output.compress);
  const previous = since ?? { read: staging.readPrevious, open: staging.openPrevious };
  const apiKey = options.apiKey?.trim() ?? '';
  const feed = createFeed(plan, config.feed, output, {
    excluded: knowledgeBase.excluded,
    generator: options.generator,
    builtAt: options.now,
    memory: openFeedMemory(cacheFolder, engine),
    scratch,
    keyPlaces: isDistinctive(apiKey) ? await source.findText(apiKey) : [],
    ...(since === null ? {} : { previous: since }),
    languages: config.languages ?? null,
    guard: options.allowMassDelete ? null : { maxDropPercent: config.source.maxDropPercent },
  });
  const anchors = createAnchorCheck();
  const { media, close } = await openMedia(config, plan, options);
  const cache = openArticleCache(cacheFolder, engine);
  const head = { inputs, shape: describeShape(plan), faces: fingerprintFaces(source) };
  const { last, next } = records.begin(head, since === null ? staging.hasPrevious : null);
  const contentProblems = await renderArticles(
    source,
    plan,
    config,
    {
      site,
      feed,
      anchors,
      media,
      output,
      onArticle: (done) => options.onProgress?.({ kind: 'rendering', done, total: plan.articles.size }),
    },
    { threads: options.threads ?? chooseThreads(source.stats.bodyBytes), cache, last, next },
  ).finally(async () => {
    cache?.finish();
    await close();
  });
  let written = 0;
  for await (const file of site.renderRest()) {
    await output.write(file.path, file.content);
    written += 1;
    options.onProgress?.({ kind: 'writing', done: written, total: null });
  }
  const { seq, changes } = await feed.finish();
  const copied = await media.finish();
  const redirects =
    (await keepRedirects(last, staging)) ??
    (await publishRedirects(
      {
        plan,
        knowledgeBase,
        headers: headerRules(plan, config.content.iframeHosts),
        previous,
        scratch,
      },
      config.redirects,
      staging,
    ));
  const problems = [
    ...source.problems,
    ...planned.problems,
    ...contentProblems,
    ...copied.problems,
    ...redirects.problems,
    ...anchors.problems(),
    ...site.problems(),
    ...feed.problems(),
  ];
  const files = staging.files();
  const repeatable = new Set([...feed.repeatable(), ...site.repeatable()]);
  next.finish([...files.filter((path) => repeatable.has(path))], { redirects: keepableRedirects(redirects) });
  const out = resolve(options.folder, config.out);
  const changedFiles = options.compareFiles ? await compareFiles(out, files) : null;
  const { excluded } = knowledgeBase;
  const report = makeReport({
    apiKey: options.apiKey,
    plan,
    excluded,
    out,
    files,
    seq,
    changes,
    changedFiles,
    problems,
  });
  return { report, hasCopies: copied.hasDownloads };
}

/** What was staged. */
export interface Published {
  readonly report: BuildReport;
  /** Other servers were asked for images or files: only they can tell whether these are still the same. */
  readonly hasCopies: boolean;
}

/** What runs leave for each other. */
export interface PublishMeans {
  /** What `describeEngine` says. */
  readonly engine: string;
  /** What `fingerprintInputs` says. */
  readonly inputs: string;
  readonly records: ArticleRecords;
  /** The published site whose feed this run continues; `null`: the output that is replaced. */
  readonly since: FeedReader | null;
}

/** What the heads of the feed's files say: where it changes, so do the places of everything behind them. */
function describeShape({ siteTitle, siteUrl, basePath, defaultLanguage, languages }: Plan): string {
  return JSON.stringify([
    siteTitle,
    siteUrl,
    basePath,
    defaultLanguage,
    languages.map(({ tag, name }) => [tag, name]),
  ]);
}
