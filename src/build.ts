import { resolve } from 'node:path';
import { createAnchorCheck } from './anchor-check.ts';
import type { BuildOptions } from './build-options.ts';
import type { ResolvedConfig } from './config/schema.ts';
import { createFeed } from './feed/feed.ts';
import { openFeedMemory } from './feed/feed-memory.ts';
import { openFeedReader } from './feed/feed-reader.ts';
import { describeEngine, stampEngine } from './last-run/engine.ts';
import { fingerprintInputs, fingerprintRun } from './last-run/fingerprint.ts';
import { nothingToDo, outputMemory, recallRun, rememberRun } from './last-run/last-run.ts';
import { makeReport } from './make-report.ts';
import { openMedia } from './open-media.ts';
import { openSource } from './open-source.ts';
import { compareFiles } from './output/compare-files.ts';
import { withCompressedCopies } from './output/compressed-copies.ts';
import { openStaging, type Staging } from './output/staging.ts';
import { publishRedirects } from './redirects/publish-redirects.ts';
import { refuseWarnings } from './refuse-warnings.ts';
import { openArticleCache } from './render/article-cache.ts';
import { chooseThreads } from './render/choose-threads.ts';
import { renderArticles } from './render-articles.ts';
import type { BuildReport } from './report.ts';
import { headerRules } from './site/headers-file.ts';
import type { Source } from './source/source.ts';
import { createRunSite, planRun } from './stages.ts';

export type { BuildOptions, BuildProgress } from './build-options.ts';

/**
 * The whole run: source → plan → content → site + feed → output. The old output stands until the last step.
 * @throws LecternError with the code of whatever stopped the run; the old output is as it was
 */
export async function build(config: ResolvedConfig, options: BuildOptions): Promise<BuildReport> {
  const out = resolve(options.folder, config.out);
  const cache = resolve(options.folder, config.cache);
  const staging = await openStaging(out, outputMemory(cache));
  try {
    const source = await openSource(config, options);
    try {
      options.onProblems?.(source.problems);
      const stamp = stampEngine();
      const engine = describeEngine();
      const inputs = fingerprintInputs(config, {
        generator: options.generator,
        engine,
        templatesFolder: resolve(options.folder, config.site.templates),
      });
      const fingerprint = fingerprintRun(inputs, source);
      const place = { cache, out };
      const last = recallRun(place, fingerprint, options.offline);
      const { report, hasCopies } =
        last === null
          ? await publish(config, options, source, staging, engine)
          : { report: nothingToDo(last, options.compareFiles ?? false), hasCopies: false };
      await options.onReport?.(report);
      if (options.strict) refuseWarnings(report);
      if (last === null) {
        const output = await staging.commit();
        const { snapshot } = source;
        const origin = { fingerprint, inputs, snapshot, engine: { description: engine, stamp } };
        rememberRun(place, origin, { report, hasCopies, output });
      }
      return report;
    } finally {
      await source.close();
    }
  } finally {
    await staging.discard();
  }
}

async function publish(
  config: ResolvedConfig,
  options: BuildOptions,
  source: Source,
  staging: Staging,
  engine: string,
): Promise<Published> {
  const { knowledgeBase } = source;
  const planned = planRun(config, knowledgeBase);
  const { plan } = planned;
  options.onProblems?.([...source.problems, ...planned.problems]);
  const site = await createRunSite(config, plan, source, options.folder, staging.scratch);
  const cacheFolder = resolve(options.folder, config.cache);
  const output = withCompressedCopies(staging, config.output.compress);
  const since = options.since === undefined ? null : openFeedReader(options.since);
  const previous = since ?? { read: staging.readPrevious, open: staging.openPrevious };
  const feed = createFeed(plan, config.feed, output, {
    excluded: knowledgeBase.excluded,
    generator: options.generator,
    builtAt: options.now,
    memory: openFeedMemory(cacheFolder, engine),
    scratch: staging.scratch,
    ...(since === null ? {} : { previous: since }),
    guard: options.allowMassDelete
      ? null
      : { maxDropPercent: config.source.maxDropPercent, languages: config.languages ?? null },
  });
  const anchors = createAnchorCheck();
  const { media, close } = await openMedia(config, plan, options);
  const cache = openArticleCache(cacheFolder, engine);
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
    { threads: options.threads ?? chooseThreads(source.stats.bodyBytes), cache },
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
  const { changes } = await feed.finish();
  const copied = await media.finish();
  const redirectProblems = await publishRedirects(
    {
      plan,
      knowledgeBase,
      headers: headerRules(plan, config.content.iframeHosts),
      previous,
      scratch: staging.scratch,
    },
    config.redirects,
    staging,
  );
  const problems = [
    ...source.problems,
    ...planned.problems,
    ...contentProblems,
    ...copied.problems,
    ...redirectProblems,
    ...anchors.problems(),
    ...site.problems(),
    ...feed.problems(),
  ];
  const files = staging.files();
  const out = resolve(options.folder, config.out);
  const changedFiles = options.compareFiles ? await compareFiles(out, files) : null;
  const { excluded } = knowledgeBase;
  const report = makeReport({ plan, excluded, out, files, changes, changedFiles, problems });
  return { report, hasCopies: copied.hasDownloads };
}

/** What was staged. */
interface Published {
  readonly report: BuildReport;
  /** Other servers were asked for images or files: only they can tell whether these are still the same. */
  readonly hasCopies: boolean;
}
