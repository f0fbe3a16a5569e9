import { hash } from 'node:crypto';
import type { CachedBuild } from '../cache/build-cache.ts';
import type {
  BuildRecord,
  FileGroup,
  LinkDependencies,
  PageSummary,
  PartitionRecord,
} from '../cache/records.ts';
import type { LinkResolution } from '../content/document.ts';
import type { LanguageTag } from '../foundation/model.ts';
import type { Problem } from '../foundation/problems.ts';
import type { UsedMedia } from '../media/media.ts';
import type { MediaRequest, MediaTable } from '../media/media-table.ts';
import type { Output, WrittenFile } from '../output/output.ts';
import type { Partitions } from '../plan/partitions.ts';
import type { Plan, PlannedArticle } from '../plan/plan.ts';
import type { ArticleMetadata } from '../site/describe-article.ts';
import type { PartitionResult, RenderInput } from './partition-task.ts';

/** Inputs that must be equal to reuse partitions of another build. */
interface BuildBasis {
  readonly inputs: string;
  readonly bits: number;
  /** `root_hash` of the continued feed; `null` if there is none. */
  readonly rootHash: string | null;
}

/**
 * The record of the last build if its partitions may be reused: program, settings and number of partitions are the same, its feed is the
 * one that is continued, and the files with its partitions' sections have not changed.
 */
export function reusableRecord(
  last: CachedBuild | null,
  { inputs, bits, rootHash }: BuildBasis,
  output: Pick<Output, 'hasPrevious'>,
): BuildRecord | null {
  if (last === null) return null;
  const { record } = last;
  if (record.inputs !== inputs || record.bits !== bits || record.feedRootHash !== rootHash) return null;
  const paths = new Set(
    record.partitions.flatMap(({ ranges }) =>
      Object.values(ranges)
        .flat()
        .flatMap((sections) => Object.values(sections).flat())
        .map(({ path }) => path),
    ),
  );
  for (const path of paths) if (!output.hasPrevious(path)) return null;
  return record;
}

/** Numbers of the partitions that may have to be rendered, ascending. */
export function findStale(
  plan: Plan,
  { articleIds }: Partitions,
  keys: BuildKeys,
  last: BuildRecord | null,
): readonly number[] {
  const isStale = (partition: number): boolean => {
    const articles = (articleIds[partition] ?? []).flatMap((id) => plan.articles.get(id) ?? []);
    return keys.quickKey(articles) !== last?.partitions[partition]?.quickKey;
  };
  return [...articleIds.keys()].filter(isStale);
}

/** More files are written again: listing them would take longer. */
const mostFiles = 1000;

/**
 * Publishes files that do not change as long as `key` is the same: reuses those of the previous output, or calls `make`.
 * @returns `group` for the next build
 */
export async function reuseGroup(
  last: BuildRecord | null,
  name: string,
  key: string,
  output: Pick<Output, 'reuseAll'>,
  make: () => Promise<{
    readonly files: readonly Pick<WrittenFile, 'path'>[];
    readonly problems: readonly Problem[];
  }>,
): Promise<{ readonly group: FileGroup | null; readonly problems: readonly Problem[] }> {
  const known = last?.groups[name];
  if (known?.key === key && (await output.reuseAll(known.files)) !== null) {
    return { group: known, problems: known.problems };
  }
  const made = await make();
  const { problems } = made;
  const files = made.files.map(({ path }) => path);
  return { group: files.length > mostFiles ? null : { key, files, problems }, problems };
}

/** Defines when a partition is unchanged: a partition with the same key, the same link targets and the same media has the same bytes. */
export interface BuildKeys {
  /** Hash of all inputs of a partition except links and media: program, settings, templates, bodies, metadata. */
  key(inputs: readonly RenderInput[]): string;
  /**
   * Hash that is quick to compute: of the articles' own bodies and dates, and of all metadata of the knowledge base. Equal quick keys imply
   * equal keys and equal links, but not the reverse.
   */
  quickKey(articles: readonly PlannedArticle[]): string;
}

/**
 * @param inputs hash of program, settings and templates
 * @param sharedMetadata hash of everything that articles may show of each other
 */
export function createBuildKeys(
  inputs: string,
  sharedMetadata: string,
  { sliceBits }: Pick<Partitions, 'sliceBits'>,
): BuildKeys {
  const basis = `${inputs} ${sliceBits}`;
  return {
    key: (articles) => hash('sha256', `${basis} ${JSON.stringify(articles.map(withoutTrees))}`),
    quickKey: (articles) =>
      hash('sha256', [basis, sharedMetadata, ...articles.map(describeVersion)].join('\n')),
  };
}

/** The data of an article that no other page shows: its bodies and edit dates. */
function describeVersion({ id, updatedAt, bodyHashes, pages }: PlannedArticle): string {
  const dates = Array.from(pages.values(), (page) => page.updatedAt);
  return [id, updatedAt, ...dates, ...bodyHashes.values()].join(' ');
}

/** Replaces trees by their hashes: a tree has several kilobytes, and many pages share it. */
function withoutTrees({ id, pages }: RenderInput): unknown {
  const bare = (head: ArticleMetadata) => {
    const { shared, currentHref } = head.chrome.tree;
    return { ...head, chrome: { ...head.chrome, tree: [shared.sha256, currentHref] } };
  };
  // How a translation compares to its source depends only on the bodies and on the continued feed.
  const feedOf = ({ translation: _, ...feed }: RenderInput['pages'][number]['feed']) => feed;
  return {
    id,
    pages: pages.map((page) => ({ ...page, feed: feedOf(page.feed), heads: page.heads.map(bare) })),
  };
}

/**
 * The record of a partition that was rendered.
 * @param media per article, the media requested from other servers, and the results
 * @param use finds the media of a page
 */
export async function makePartitionRecord(
  key: string,
  { pages, languages, links, media }: Pick<PartitionResult, 'pages' | 'languages' | 'links' | 'media'>,
  { mediaRequests, mediaTables }: ArticleMedia,
  use: (addresses: readonly string[], page: PageSummary) => UsedMedia | Promise<UsedMedia>,
): Promise<PartitionRecord> {
  const files = new Set<string>();
  const failed: PartitionRecord['media']['failed'][number][] = [];
  for (const [at, addresses] of media.entries()) {
    const page = pages[at] as PageSummary;
    const used = await use(addresses, page);
    for (const path of used.files) files.add(path);
    for (const address of used.failed) failed.push([address, page.articleId, page.language]);
  }
  const ofPartition = { asked: mediaRequests, hash: hashMedia(mediaTables), files: [...files], failed };
  return { key, pages, languages, links, media: ofPartition };
}

interface ArticleMedia {
  readonly mediaRequests: readonly MediaRequest[];
  readonly mediaTables: readonly (MediaTable | null)[];
}

/** SHA-256 of the current link targets. */
export function hashLinks(
  asked: LinkDependencies['asked'],
  resolverFor: (language: LanguageTag) => (href: string) => LinkResolution,
): string {
  return hashResolutions(asked.map(([language, href]) => JSON.stringify(resolverFor(language)(href))));
}

/** The same hash, from link targets as JSON. */
export function hashResolutions(resolutions: readonly string[]): string {
  return hash('sha256', resolutions.join('\n'));
}

/** SHA-256 of the results of copying each article's media from other servers. Excludes the reason of a refusal, which no page shows. */
export function hashMedia(tables: readonly (MediaTable | null)[]): string {
  const remote = tables.map((table) =>
    [...(table ?? [])]
      .filter(([key]) => !key.startsWith('data:'))
      .map(([key, media]) => [key, media.kind === 'refused' ? media.kind : media] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  return hash('sha256', JSON.stringify(remote));
}
