import type { CachedBuild } from '../cache/build-cache.ts';
import type { BuildRecord, FileGroup } from '../cache/records.ts';
import type { Problem } from '../foundation/problems.ts';
import type { Output, WrittenFile } from '../output/output.ts';
import type { Partitions } from '../plan/partitions.ts';
import type { Plan } from '../plan/plan.ts';
import type { BuildKeys } from './build-key.ts';

/** What this build has in common with one whose partitions it may reuse. */
export interface BuildBasis {
  readonly inputs: string;
  readonly bits: number;
  /** `root_hash` of the feed that is continued; `null`: there is none. */
  readonly rootHash: string | null;
}

/**
 * The record of the last build where its partitions may be reused: made with the same program, settings and number of
 * partitions, its feed is the one that is continued, and the files that hold the sections of its partitions are as it left them.
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

/** More files than this are made again: a list of them would take longer. */
const mostFiles = 1000;

/**
 * Publishes files that are the same as long as `key` is: those of the previous output, or else what `make` writes.
 * @returns `group` is what the next build may reuse
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
