import { resolve } from 'node:path';
import { type CachedBuild, openBuildCache } from '../cache/build-cache.ts';
import { describeProgram, fingerprintInputs, hashSharedMetadata, hashSource } from '../cache/fingerprint.ts';
import type { ResolvedConfig } from '../config/schema.ts';
import type { FeedReader } from '../feed/feed-reader.ts';
import { readPreviousFeed } from '../feed/history/read-previous-feed.ts';
import { findSharedTexts } from '../feed/records/document-meta.ts';
import { makeFolder } from '../foundation/file-system.ts';
import { type SpillFile, withSpillFile } from '../foundation/spill-file.ts';
import { createLinkResolver } from '../links/resolve-links.ts';
import { hasEmbedded } from '../media/media-table.ts';
import { replaceFolder } from '../output/staged-folder.ts';
import { createStagedTree } from '../output/staged-tree.ts';
import { documentSettings, partitionSettings } from '../partitions/partition-settings.ts';
import { createPlanWork, type PartitionWork } from '../partitions/plan-work.ts';
import { createBuildKeys, makePartitionRecord, reusableRecord } from '../partitions/reuse.ts';
import { chooseThreads, createWorkerPool, type WorkerPool } from '../partitions/worker-pool.ts';
import { siteRoot } from '../plan/page-url.ts';
import { planPartitions } from '../plan/partitions.ts';
import { shardFile, shardOf, writeShardInfo } from '../shards/shard-folder.ts';
import { pagesFolder, writePartition } from '../shards/shard-partition.ts';
import type { Source } from '../source/source.ts';
import type { BuildOptions } from './build-options.ts';
import { createRunSite, planRun } from './create-site.ts';
import { openFeed } from './open-feed.ts';
import { openMedia } from './open-media.ts';
import { openSource } from './open-source.ts';

/** Options of a shard build. */
export interface ShardOptions
  extends Pick<
    BuildOptions,
    'folder' | 'generator' | 'since' | 'threads' | 'partitionSizes' | 'signal' | 'onWait' | 'onProgress'
  > {
  readonly shard: ShardNumber;
  /** Folder of the output that the merge will replace: the shard skips its unchanged partitions. */
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
  /** Number of partitions of the shard, and how many of them were rendered. */
  readonly partitions: number;
  readonly renderedPartitions: number;
  readonly renderedPages: number;
}

/**
 * Renders the partitions of one shard from the last snapshot into the folder `config.out`; `build` with `shards` merges all shards. Other
 * parts of a build are left to the merge: guards, and files with content of several partitions.
 * @throws what `openSnapshot`, `openFeed`, `planSite` and rendering throw; OUTPUT_NOT_OURS; the previous shard is then unchanged
 */
export async function buildShard(config: ResolvedConfig, options: ShardOptions): Promise<ShardReport> {
  return withSpillFile(resolve(options.folder, config.cache), (spill) => buildWith(config, options, spill));
}

async function buildWith(
  config: ResolvedConfig,
  options: ShardOptions,
  spill: SpillFile,
): Promise<ShardReport> {
  const { folder } = options;
  const offline = { folder, apiKey: null, offline: true, allowMassDelete: false, insecureLoopback: false };
  const pool = createWorkerPool();
  const opened: { close(): Promise<void> }[] = [];
  try {
    const source = await openSource(config, { ...offline, spill });
    opened.push(source);
    const files = await openMedia(config, siteRoot(config.siteUrl), offline);
    opened.push(files);
    const previousFolder = options.previous === undefined ? null : resolve(folder, options.previous);
    const feedFrom = options.since ?? previousFolder;
    const previous = feedFrom === null ? null : await openFeed(feedFrom, async () => config, folder);
    if (previous !== null) opened.push(previous);
    const cache = openBuildCache(resolve(folder, config.cache));
    const last = previousFolder === null ? null : cache.findBuild(previousFolder);
    const context = { config, options, source, previous, last, previousFolder, cache, pool, spill };
    return await replaceFolder(resolve(folder, config.out), shardFile, options, (staged) =>
      writeShard(staged, { ...context, media: files.media }),
    );
  } finally {
    await pool.stop();
    for (const resource of opened.reverse()) await resource.close();
  }
}

interface ShardContext {
  readonly config: ResolvedConfig;
  readonly options: ShardOptions;
  readonly source: Source;
  readonly previous: FeedReader | null;
  readonly last: CachedBuild | null;
  readonly previousFolder: string | null;
  readonly cache: ReturnType<typeof openBuildCache>;
  readonly media: Awaited<ReturnType<typeof openMedia>>['media'];
  readonly pool: WorkerPool;
  readonly spill: SpillFile;
}

async function writeShard(staged: string, context: ShardContext): Promise<ShardReport> {
  const { config, options, source, cache, media, pool, spill } = context;
  const { number, count } = options.shard;
  const program = describeProgram();
  const inputs = fingerprintInputs(config, {
    generator: options.generator,
    program,
    templatesFolder: resolve(options.folder, config.site.templates),
    publicFolder: resolve(options.folder, config.site.public),
  });
  const { plan } = planRun(config, source.knowledgeBase, spill);
  const partitions = planPartitions(plan, options.partitionSizes);
  const site = await createRunSite(config, plan, source, options.folder);
  const feed = context.previous === null ? null : await readPreviousFeed(context.previous);
  const rootHash = feed?.manifest.root_hash ?? null;
  const shared = findSharedTexts(plan);
  const output = previousOutput(context);
  const links = documentSettings(config, source);
  const out = resolve(options.folder, config.out);
  makeFolder(pagesFolder(staged));
  const workspace = { folder: pagesFolder(staged), isUsed: false, out, previous: null };
  const planWork = createPlanWork({
    plan,
    partitions,
    keys: createBuildKeys(inputs, hashSharedMetadata(source, shared), partitions),
    shared,
    last: reusableRecord(context.last, { inputs, bits: partitions.bits, rootHash }, output),
    cache,
    site,
    feed: {
      previousStates: async (partition) => (await feed?.statesOf(partition, partitions.bits)) ?? new Map(),
    },
    media,
    output,
    recorded: () => new Map(),
    readBodies: source.readBodies,
    findRendered: pool.findRendered,
    resolverFor: createLinkResolver(plan, links),
  });
  const own = [...partitions.articleIds.keys()].filter((partition) => shardOf(partition, count) === number);
  pool.start(
    partitionSettings(config, plan, partitions, site, links, workspace),
    options.threads ?? chooseThreads(source.stats.bodyBytes, own.length, partitions.articleIds.length),
  );
  const total = own.reduce((sum, partition) => sum + (partitions.articleIds[partition]?.length ?? 0), 0);
  const rendered: number[] = [];
  let renderedPages = 0;
  let done = 0;
  const running = new Set<Promise<void>>();
  const renderAll = async (): Promise<void> => {
    for (const partition of own) {
      options.signal?.throwIfAborted();
      const work = await planWork(partition);
      const finish = async (): Promise<void> => {
        if (work.kind === 'task') {
          const result = await pool.make(work.task);
          const record = await makePartitionRecord(work.key, result, work, media.find);
          const { quickKey } = work;
          writePartition(staged, partition, { quickKey, mediaRequests: requestsOf(work), record }, result);
          rendered.push(partition);
          renderedPages += result.pages.length;
        }
        done += work.articles;
        options.onProgress?.({ kind: 'rendering', done, total });
      };
      const finishing = finish().finally(() => running.delete(finishing));
      running.add(finishing);
      // A failure is handled below; without this, it would be an unhandled rejection until then.
      finishing.catch(() => {});
      if (running.size >= pool.capacity()) await Promise.race(running);
    }
    await Promise.all(running);
  };
  try {
    await renderAll();
  } catch (error) {
    // Threads must have stopped writing before the folder is removed.
    await pool.stop();
    await Promise.allSettled(running);
    throw error;
  }
  writeShardInfo(staged, {
    schema: 'lectern.shard/1',
    shard: number,
    shards: count,
    generator: options.generator,
    program,
    inputs,
    knowledgeBase: hashSource(source),
    previousFeed: rootHash,
    rendered: rendered.sort((a, b) => a - b),
  });
  return {
    shard: number,
    shards: count,
    out,
    partitions: own.length,
    renderedPartitions: rendered.length,
    renderedPages,
  };
}

/** Media that the merge has to request; `null` if the bodies contain embedded media. */
function requestsOf({ mediaRequests, mediaTables }: PartitionWork & { kind: 'task' }) {
  return mediaRequests.map((request, at) => (hasEmbedded(mediaTables[at] ?? null) ? null : request));
}

/** The previous output, for reuse. A shard only checks it; the merge publishes it again. */
function previousOutput({ last, previousFolder }: ShardContext) {
  const unused = () => {
    throw new Error('a shard writes nothing here');
  };
  const tree = createStagedTree(
    unused,
    previousFolder ?? '',
    previousFolder,
    () => last?.readFiles() ?? null,
  );
  return {
    hasPrevious: tree.hasPrevious,
    reuseAll: async (paths: readonly string[]) => (paths.every(tree.hasPrevious) ? [] : null),
  };
}
