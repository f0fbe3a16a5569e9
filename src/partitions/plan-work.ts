import type { BuildCache, CachedPartition } from '../cache/build-cache.ts';
import type { BuildRecord } from '../cache/records.ts';
import type { LinkResolution } from '../content/document.ts';
import type { Feed, PartitionRanges } from '../feed/feed.ts';
import { type DocumentState, translationState } from '../feed/history/track-changes.ts';
import { makeDocumentMeta, type SharedTexts, sharedCallouts } from '../feed/records/document-meta.ts';
import { documentId } from '../feed/records/record-schemas.ts';
import { LecternError } from '../foundation/errors.ts';
import type { LanguageTag, ReadBodies } from '../foundation/model.ts';
import type { Media, PreparedMedia } from '../media/media.ts';
import type { MediaRequest, MediaTable } from '../media/media-table.ts';
import type { Output } from '../output/output.ts';
import type { Staging } from '../output/staging.ts';
import type { Partitions } from '../plan/partitions.ts';
import type { Plan, PlannedArticle } from '../plan/plan.ts';
import { sourceFirst } from '../plan/planned-article.ts';
import { articleFilePaths } from '../site/search/term-run.ts';
import type { Site } from '../site/site.ts';
import {
  type ArticleTask,
  type PartitionTask,
  pagePaths,
  type RenderedPartition,
  type RenderInput,
} from './partition-task.ts';
import { type BuildKeys, hashLinks, hashMedia } from './reuse.ts';
import type { WorkerPool } from './worker-pool.ts';

/** Work item of a partition. */
export type PartitionWork = WorkOf &
  (
    | {
        /** Up to date: its files of the previous output have already been published again. */
        readonly kind: 'reused';
        readonly record: CachedPartition;
        /** Locations of its sections in the previous output. */
        readonly ranges: PartitionRanges;
      }
    | {
        readonly kind: 'task';
        readonly task: PartitionTask;
        /** Per article, the media requested from other servers, and the results. */
        readonly mediaRequests: readonly MediaRequest[];
        readonly mediaTables: readonly (MediaTable | null)[];
        /** The previous feed's documents of its articles, by document id. */
        readonly documentsBefore: ReadonlyMap<string, DocumentState>;
      }
  );

interface WorkOf {
  readonly partition: number;
  readonly key: string;
  readonly quickKey: string;
  readonly articles: number;
}

export type PlanWork = (partition: number) => Promise<PartitionWork>;

export interface WorkContext {
  readonly plan: Plan;
  readonly partitions: Partitions;
  readonly keys: BuildKeys;
  /** Texts that many articles share. */
  readonly shared: SharedTexts;
  /** The build that made the previous output; `null`: nothing can be reused. */
  readonly last: BuildRecord | null;
  readonly cache: BuildCache;
  readonly site: Pick<Site, 'describeArticle' | 'searchMetadata'>;
  readonly feed: Pick<Feed, 'previousStates'>;
  readonly media: Media;
  readonly output: Pick<Output, 'reuseAll'>;
  readonly recorded: Staging['recorded'];
  readonly readBodies: ReadBodies;
  /** Finds partitions that were rendered on another machine. */
  readonly findRendered: WorkerPool['findRendered'];
  readonly resolverFor: (language: LanguageTag) => (href: string) => LinkResolution;
}

/** Decides for each partition whether it is up to date; otherwise prepares its rendering. */
export function createPlanWork(context: WorkContext): PlanWork {
  const { plan, partitions, keys, last } = context;
  return async (partition) => {
    const articles = (partitions.articleIds[partition] ?? []).map((id) => plannedArticle(plan, id));
    const quickKey = keys.quickKey(articles);
    const entry = last?.partitions[partition];
    const record = entry === undefined ? null : context.cache.readPartition(entry.key);
    const work = { partition, quickKey, articles: articles.length };
    if (entry !== undefined && record !== null && entry.quickKey === quickKey) {
      if (await reuse(context, record)) {
        return { ...work, kind: 'reused', key: entry.key, record, ranges: entry.ranges };
      }
    }
    const rendered = context.findRendered(partition, quickKey);
    if (rendered !== null) {
      const { key } = rendered;
      return { ...work, kind: 'task', key, ...(await takeRendered(context, partition, articles, rendered)) };
    }
    const inputs = articles.map((article) => describeArticle(context, article));
    const key = keys.key(inputs);
    if (entry?.key === key && record !== null && entry.quickKey !== quickKey) {
      const { asked, hash } = record.head.links;
      if (hashLinks(asked, context.resolverFor) === hash && (await reuse(context, record))) {
        return { ...work, kind: 'reused', key, record, ranges: entry.ranges };
      }
    }
    const documentsBefore = await context.feed.previousStates(partition);
    const complete = inputs.map((input) => compareTranslations(plan, input, documentsBefore));
    return {
      ...work,
      kind: 'task',
      key,
      documentsBefore,
      ...(await prepareTask(context, { partition, key }, complete)),
    };
  };
}

/** Publishes the files of a partition again; `false` if its media or the previous output changed. */
async function reuse({ media, output }: WorkContext, { head, file }: CachedPartition): Promise<boolean> {
  // Its search terms are read later, when it is too late to render it.
  if (!file.isSound()) return false;
  const tables = await Promise.all(head.media.asked.map((request) => media.repeat(request)));
  if (hashMedia(tables) !== head.media.hash) return false;
  if (!(await media.reuse(head.media.files, output))) return false;
  const pages = head.pages.flatMap(({ files }) => files);
  const articles = head.languages.flatMap(({ language, search }) => articleFilePaths(language, search));
  return (await output.reuseAll([...pages, ...articles])) !== null;
}

/**
 * Prepares a partition that was rendered on another machine; its articles are not processed again.
 * @throws SHARD_FOREIGN if its pages use other copies of images and files
 */
async function takeRendered(
  { feed, media, readBodies, recorded }: WorkContext,
  partition: number,
  articles: readonly PlannedArticle[],
  { key, mediaRequests, mediaHash, folder, paths }: RenderedPartition,
) {
  const documentsBefore = await feed.previousStates(partition);
  const prepared = await Promise.all(
    articles.map(async (article, at) => {
      const request = mediaRequests[at] ?? null;
      if (request !== null) return { request, table: await media.repeat(request) };
      const bodies = await readBodies(article.id);
      return media.prepare(sourceFirst(article).map(({ language }) => bodies.get(language) ?? ''));
    }),
  );
  const described = describeMedia(prepared);
  if (hashMedia(described.mediaTables) !== mediaHash) {
    throw new LecternError(
      'SHARD_FOREIGN',
      `${folder} was rendered with other copies of images and files than the cache of this merge holds`,
      {
        hint: 'build the shards and merge them with one cache folder of lectern fetch, its folder media included',
      },
    );
  }
  const task: PartitionTask = { partition, key, articles: [], previousFiles: recorded(paths) };
  return { task, documentsBefore, ...described };
}

/** Everything published of an article, except its bodies and how its translations compare to their source. */
function describeArticle({ plan, site, shared }: WorkContext, article: PlannedArticle): RenderInput {
  const { id, sourceLanguage } = article;
  const translation = { source_language: sourceLanguage, outdated: false };
  return {
    id,
    pages: sourceFirst(article).map((page) => {
      const { language, markdown } = page;
      return {
        language,
        bodyHash: article.bodyHashes.get(language) ?? '',
        twinPath: markdown.path,
        search: site.searchMetadata(id, language),
        feed: makeDocumentMeta(plan, article, page, translation, shared),
        sharedCallouts: sharedCallouts(shared, page),
        heads: site.describeArticle(id, language),
      };
    }),
  };
}

/** How translations compare to their source, according to the bodies and the previous feed. */
function compareTranslations(
  plan: Plan,
  input: RenderInput,
  previous: ReadonlyMap<string, DocumentState>,
): RenderInput {
  const article = plannedArticle(plan, input.id);
  return {
    ...input,
    pages: input.pages.map((page) => {
      const before = previous.get(documentId(input.id, page.language));
      const translation = translationState(article, page.language, before);
      return { ...page, feed: { ...page.feed, translation } };
    }),
  };
}

async function prepareTask(
  { readBodies, media, recorded }: WorkContext,
  work: Pick<PartitionTask, 'partition' | 'key'>,
  inputs: readonly RenderInput[],
) {
  const prepared = await Promise.all(
    inputs.map(async (input) => {
      const stored = await readBodies(input.id);
      const bodies = input.pages.map(({ language }) => stored.get(language) ?? '');
      return { input, bodies, media: await media.prepare(bodies) };
    }),
  );
  const articles = prepared.map(
    ({ input, bodies, media }): ArticleTask => ({ ...input, bodies, media: media?.table ?? null }),
  );
  const task: PartitionTask = { ...work, articles, previousFiles: recorded(inputs.flatMap(pagePaths)) };
  return { task, ...describeMedia(prepared.map(({ media }) => media)) };
}

/** Media of each article; `null`: none. */
function describeMedia(prepared: readonly (PreparedMedia | null)[]) {
  return {
    mediaRequests: prepared.map((media) => media?.request ?? nothing),
    mediaTables: prepared.map((media) => media?.table ?? null),
  };
}

const nothing: MediaRequest = { images: [], files: [] };

/** @throws if the plan has no such article, which is a bug */
function plannedArticle(plan: Plan, id: string): PlannedArticle {
  const article = plan.articles.get(id);
  if (article === undefined) throw new Error(`${id} is not planned`);
  return article;
}
