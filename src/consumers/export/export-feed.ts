import { LecternError } from '../../core/errors.ts';
import { usualDropPercent } from '../../core/guard-loss.ts';
import { findLanguage } from '../../core/language.ts';
import { countSeverities, type Problem } from '../../core/problems.ts';
import { type ReportedProblem, reportProblems } from '../../core/report.ts';
import type { PublishedSite } from '../../feed/read/feed-reader.ts';
import { busyFeed } from '../../feed/read/read-feed.ts';
import { writeFileList } from '../../output/file-list.ts';
import type { Output } from '../../output/output.ts';
import { openStaging } from '../../output/staging.ts';
import { type FeedCursor, openFeedCursor } from '../follow/feed-cursor.ts';
import type { FeedFollower } from '../follow/feed-follower.ts';
import { followFeed } from '../follow/follow-feed.ts';
import { openBatchFiles } from './batches.ts';
import { createItemMaker } from './make-item.ts';
import type { Target, TargetName } from './target.ts';
import { targets } from './targets.ts';

/** File with the summary of an export; it marks a folder that another export may replace. */
const exportMarker = 'export.json';

export interface ExportSettings {
  readonly target: TargetName;
  /** Name of the index or table: see `Target`. */
  readonly collection: string;
  /** Absolute path of the folder to replace. */
  readonly out: string;
  /** Only these languages; empty: all. */
  readonly languages: readonly string[];
  /** Fail on errors and warnings, before anything is replaced. */
  readonly strict: boolean;
  readonly signal?: AbortSignal;
}

/** Summary of an export; `export.json` is this without the problems. */
export interface ExportReport {
  readonly schema: 'lectern/export/1';
  readonly target: TargetName;
  readonly collection: string;
  /** Feed and run of the items. */
  readonly feed_id: string;
  readonly seq: number;
  /** Number of items. */
  readonly upserts: number;
  /** Paths of the files in the order of loading, relative to the folder. */
  readonly files: readonly string[];
  readonly problems: readonly ReportedProblem[];
}

/**
 * Writes a published feed in the format of a platform, for an empty index. Replaces the folder atomically; if a run fails, it is unchanged.
 * @throws FEED_BUSY, FEED_INVALID, FEED_UNREACHABLE, STRICT, and those of `openStaging`
 */
export async function exportFeed(site: PublishedSite, settings: ExportSettings): Promise<ExportReport> {
  const waiting = settings.signal === undefined ? {} : { signal: settings.signal };
  const staging = await openStaging(settings.out, () => null, { marker: exportMarker, ...waiting });
  try {
    const { problems, ...report } = await stageExport(site, staging, settings);
    if (settings.strict) refuseProblems(problems);
    await staging.write(exportMarker, `${JSON.stringify(report, null, 2)}\n`);
    await writeFileList(staging);
    await staging.commit();
    return { ...report, problems };
  } finally {
    await staging.discard();
  }
}

async function stageExport(
  site: PublishedSite,
  output: Output,
  settings: ExportSettings,
): Promise<ExportReport> {
  const { target: name, collection } = settings;
  const target: Target = targets[name];
  const definitions = target.definitions?.(collection) ?? [];
  for (const [path, content] of definitions) await output.write(path, content);

  const problems: Problem[] = [];
  const makeItem = createItemMaker(target, collection, (found) => problems.push(found));
  const writer = target.open?.(output) ?? openBatchFiles(output, target.format(collection));
  let upserts = 0;
  const follower: FeedFollower = {
    async upsert(documents) {
      for (const { document, chunks } of documents)
        for (const { chunk } of chunks) {
          const item = makeItem(document, chunk);
          if (item === null) continue;
          for (const [path, content] of item.files ?? []) await output.write(path, content);
          await writer.add(item.entry);
          upserts += 1;
        }
    },
    // The cursor is empty.
    delete() {},
  };
  const cursor = openFeedCursor(null, { owner: name, variant: '' });
  const seq = await followWanted(site, cursor, follower, { ...settings, allowMassDelete: true });
  const files = await writer.close();
  return {
    schema: 'lectern/export/1',
    target: name,
    collection,
    feed_id: cursor.run?.feedId ?? '',
    seq,
    upserts,
    files: [...definitions.map(([path]) => path), ...files],
    problems: reportProblems(problems),
  };
}

/**
 * Follows a feed in the wanted languages.
 * @returns the number of its run
 * @throws LANGUAGE_UNUSABLE before the follower gets anything, FEED_BUSY, MASS_DELETE, those of `followFeed`
 */
export async function followWanted(
  site: PublishedSite,
  cursor: FeedCursor,
  follower: FeedFollower,
  {
    languages,
    allowMassDelete,
    signal,
    batchSize,
  }: Pick<ExportSettings, 'languages' | 'signal'> & {
    /** Follow any loss of documents; else at most 20% since the last run. */
    readonly allowMassDelete: boolean;
    readonly batchSize?: number;
  },
): Promise<number> {
  // Languages whose items the target has, and which may have to be deleted.
  const exported = cursor.run?.languages ?? [];
  let isChecked = false;
  const applied = await followFeed(
    site,
    cursor,
    {
      async upsert(documents) {
        signal?.throwIfAborted();
        await follower.upsert(documents);
      },
      delete: follower.delete,
    },
    {
      wants(language, published) {
        if (!isChecked) checkLanguages(languages, published, exported);
        isChecked = true;
        return languages.length === 0 || languages.some((tag) => findLanguage(tag, published) === language);
      },
      maxDropPercent: allowMassDelete ? null : usualDropPercent,
      dropHint: 'nothing was exported; if the loss is intended, pass --allow-mass-delete once',
      batchSize,
    },
  );
  if (applied.status === 'busy') throw busyFeed();
  return applied.seq;
}

/**
 * Without this, a wrong tag would write an empty export, or delete everything that the cursor knows.
 * @throws LANGUAGE_UNUSABLE
 */
function checkLanguages(
  wanted: readonly string[],
  published: readonly string[],
  exported: readonly string[],
): void {
  const unknown = wanted.filter((tag) => findLanguage(tag, [...published, ...exported]) === undefined);
  if (unknown.length === 0) return;
  throw new LecternError('LANGUAGE_UNUSABLE', `the feed has no articles in ${unknown.join(', ')}`, {
    hint: `choose from its languages with --languages: ${[...published].sort().join(', ')}`,
    exitCode: 2,
  });
}

/** @throws STRICT */
export function refuseProblems(problems: readonly ReportedProblem[]): void {
  const { error, warning } = countSeverities(problems);
  if (error + warning === 0) return;
  throw new LecternError('STRICT', `${error + warning} items over a limit found in --strict mode`, {
    hint: 'fix the problems listed above, or run without --strict',
  });
}
