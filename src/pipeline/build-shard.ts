import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ResolvedConfig } from '../core/config/schema.ts';
import { hashFile, makeFolder } from '../core/file-system.ts';
import { readPreviousFeed } from '../feed/history/read-previous-feed.ts';
import { openPreviousFeed } from '../feed/read/open-feed.ts';
import { findSharedTexts } from '../feed/records/document-meta.ts';
import {
  type BuildDatabase,
  buildDatabaseName,
  openBuildDatabase,
} from '../output/database/build-database.ts';
import type { WrittenFile } from '../output/output.ts';
import { openPreviousOutput } from '../output/previous-output.ts';
import { replaceFolder } from '../output/staged-folder.ts';
import { createAnchorCheck } from '../site/links/anchors.ts';
import { createHiddenFinder } from '../site/links/hidden-records.ts';
import { createLinkResolver } from '../site/links/resolve-links.ts';
import { siteRoot } from '../site/plan/page-url.ts';
import { planParts } from '../site/plan/parts.ts';
import type { BuildOptions } from './build-options.ts';
import { findLastBuild } from './build-record.ts';
import { createRunSite, planRun } from './create-site.ts';
import { hashInputs, hashProgram } from './hash-inputs.ts';
import { hashSharedMetadata, hashSource } from './hash-source.ts';
import { openMedia } from './open-media.ts';
import { openSource } from './open-source.ts';
import { redactMetadata } from './redact-metadata.ts';
import { renderArticles } from './render-articles.ts';
import { chooseThreads, createRenderPool } from './render-pool.ts';
import { documentSettings, renderSettings } from './render-settings.ts';
import { pagesFolder, type ShardInfo, type ShardInputs, shardMarker, shardOf } from './shards.ts';
import { findUserFiles } from './user-files.ts';

type SharedOptions = 'folder' | 'environment' | 'generator' | 'since' | 'threads' | 'partSizes';

/** Options of a shard build. */
export interface ShardOptions extends Pick<BuildOptions, SharedOptions | 'signal' | 'onWait' | 'onProgress'> {
  readonly shard: ShardNumber;
  /** Folder of the output that the merge will replace: the shard skips its unchanged articles. */
  readonly previous?: string;
}

/** The shard `number` (from 1) of `count`. */
export interface ShardNumber {
  readonly number: number;
  readonly count: number;
}

/** Summary of a shard. */
export interface ShardReport {
  readonly shard: number;
  readonly shards: number;
  /** Absolute path of the shard. */
  readonly out: string;
  /** Number of articles of the shard; those that are unchanged in the previous output are not rendered. */
  readonly articles: number;
  readonly renderedArticles: number;
  readonly renderedPages: number;
}

/**
 * Renders the articles of one shard from the last snapshot into the folder `config.out`; `build` with `shards` merges all shards. Other
 * parts of a build are left to the merge: guards, and files with many pages.
 * @throws what `openSnapshot`, `openFeed`, `planSite` and rendering throw; OUTPUT_NOT_OURS; the previous shard is then unchanged
 */
export async function buildShard(config: ResolvedConfig, options: ShardOptions): Promise<ShardReport> {
  const out = resolve(options.folder, config.out);
  return replaceFolder(out, shardMarker, options, async (staged) => {
    const database = await openBuildDatabase(staged);
    try {
      database.begin();
      const { report, inputs } = await renderShard(config, options, out, staged, database);
      database.close();
      const { shard, shards } = report;
      const sha256 = hashFile(join(staged, buildDatabaseName));
      const info: ShardInfo = { shard, shards, ...inputs, database: sha256 };
      writeFileSync(join(staged, shardMarker), JSON.stringify(info));
      return report;
    } finally {
      database.close();
    }
  });
}

async function renderShard(
  config: ResolvedConfig,
  options: ShardOptions,
  out: string,
  staged: string,
  database: BuildDatabase,
): Promise<{ readonly report: ShardReport; readonly inputs: ShardInputs }> {
  const { folder, generator, signal, onProgress } = options;
  const { number, count } = options.shard;
  const network = { apiKey: null, offline: true, allowMassDelete: false, insecureLoopback: false };
  const offline = { ...options, ...network };
  const pool = createRenderPool();
  const opened: { close(): Promise<void> }[] = [];
  try {
    const source = redactMetadata(await openSource(config, offline), config);
    opened.push(source);
    const { media, ...files } = await openMedia(config, siteRoot(config.siteUrl), offline);
    opened.push(files);
    const previousFolder = options.previous === undefined ? null : resolve(folder, options.previous);
    const feedFrom = options.since ?? previousFolder;
    const since =
      feedFrom === null ? null : await openPreviousFeed(feedFrom, async () => config, folder, signal);
    if (since !== null) opened.push(since);
    const previousFeed = since === null ? null : await readPreviousFeed(since.read);
    const program = hashProgram();
    const userFiles = findUserFiles(config, options);
    const settings = hashInputs(config, { generator, program, ...userFiles });
    const cache = resolve(folder, config.cache);
    // Shards may share the cache, so they change nothing in it: without it, or if only the merge can repair it, they render everything.
    const known = await openBuildDatabase(cache, { isReadOnly: true }).catch(() => null);
    if (known !== null) opened.push({ close: async () => known.close() });
    const found = previousFolder === null || known === null ? null : findLastBuild(known, previousFolder);
    const previousState = previousFeed?.manifest.run.state ?? null;
    const isReusable = found?.record.settings === settings && found.record.feedState === previousState;
    const output = openPreviousOutput(
      previousFolder ?? '',
      found?.readOutput() ?? { files: new Map(), finishedMs: 0 },
      () => false,
    );
    const { plan } = await planRun(config, source.knowledgeBase, folder);
    const parts = planParts(plan, options.partSizes);
    const own = parts.order.filter((id) => shardOf(id, count) === number);
    const site = await createRunSite(config, plan, source, userFiles);
    const shared = findSharedTexts(plan);
    const links = documentSettings(config, source);
    const hidden = createHiddenFinder(links);
    const written: WrittenFile[] = [];
    const workspace = { folder: join(staged, pagesFolder), out };
    makeFolder(workspace.folder);
    let rendered: readonly string[] = [];
    const { renderedPages } = await renderArticles({
      ...{ plan, site, shared, settings, isReusable, database, media, pool },
      known: known ?? database,
      parts: { order: own },
      isMetadataSame: found?.record.metadata === hashSharedMetadata(source, shared),
      shards: null,
      feed: { readPrevious: async () => (await previousFeed?.readStates()) ?? null },
      useMedia: async (addresses) => media.find(addresses),
      anchors: createAnchorCheck(),
      output: {
        // The merge publishes unchanged articles again.
        reuseAll: async (paths) => (paths.every((path) => output.find(path) !== null) ? [] : null),
        adopt: (files) => void written.push(...files),
        write: () => Promise.reject(new Error('a shard writes only pages')),
      },
      findUnchanged: () => new Map(),
      readBodies: source.readBodies,
      resolverFor: createLinkResolver(plan, links),
      isHidden: (name) => hidden.nameIn(name) !== null,
      onStale(ids) {
        rendered = ids;
        const bytes = (source.stats.bodyBytes * ids.length) / Math.max(1, plan.articles.size);
        pool.start(
          renderSettings(config, plan, site, links, workspace),
          options.threads ?? chooseThreads(bytes),
        );
      },
      onArticles(done) {
        signal?.throwIfAborted();
        onProgress?.({ kind: 'rendering', done, total: own.length });
      },
    });
    const pages = written.map((file) => ({ ...file, mtimeMs: 0 }));
    database.commit({ record: 'null', files: pages });
    const counts = { articles: own.length, renderedArticles: rendered.length, renderedPages };
    return {
      inputs: {
        generator,
        program,
        settings,
        source: hashSource(source),
        previousFeed: previousState,
      },
      report: { shard: number, shards: count, out, ...counts },
    };
  } finally {
    // Threads must have stopped writing before the folder is removed.
    await pool.stop();
    for (const resource of opened.reverse()) await resource.close();
  }
}
