import { hash } from 'node:crypto';
import { join } from 'node:path';
import { readWholeFile } from '../core/file-system.ts';
import { outputMarker } from '../output/previous-output.ts';
import type { Assembled } from './assemble.ts';
import { type BuildRecord, writeFiles, writeStored } from './build-record.ts';
import { hashCopies } from './find-unchanged.ts';
import type { PlannedBuild } from './plan-build.ts';

/**
 * Saves what the next build needs, then replaces the output with the staged one. The record names the output by the hash of its manifest. So
 * a run that is killed before the swap leaves a database that describes no output, and the next build renders everything; one that is
 * killed after it leaves everything in order.
 * @throws what `Staging.commit` throws; the previous output is then unchanged
 */
export async function publish(
  { cache, source, staging, database, settings, metadata, products }: PlannedBuild,
  { report, feed, feedIndex, search, hasDownloads }: Assembled,
): Promise<void> {
  const position = { feedId: feed.feedId, seq: feed.seq };
  const record: BuildRecord = {
    ...{ settings, metadata, hasDownloads },
    // A removed path may name an article that is no longer public.
    report: { ...report, changedFiles: null },
    manifest: hash('sha256', readWholeFile(join(staging.workspace().folder, outputMarker))),
    snapshot: source.snapshot,
    copies: hashCopies(cache),
    feed: position,
    feedState: feed.state,
    products: products.made,
  };
  const finishedMs = await staging.commit((files) => {
    writeStored(database, 'run', record);
    writeFiles(database, files);
    writeStored(database, 'feedIndex', feedIndex);
    writeStored(database, 'search', search);
    database.commit();
  });
  // Followers may have read it now: an older output must never continue it.
  writeStored(database, 'published', { feed: position, finishedMs });
}
