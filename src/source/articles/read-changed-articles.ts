import { readListing } from '../listing/read-listing.ts';
import type { UnknownRecord } from '../normalise/fields.ts';
import { mayBePublic } from '../normalise/visibility.ts';
import { readSoundBytes } from '../snapshot/read-bodies.ts';
import type { Snapshot } from '../snapshot/read-index.ts';
import { type ArticlesRead, type Reading, timeMs, withProgress } from './articles-read.ts';
import { createCollector, type Decision } from './collect-articles.ts';
import { fingerprintRecord } from './fingerprint.ts';
import { readSingles } from './read-singles.ts';

/**
 * An article edited this short before it was last listed is read again: it may have been edited once more within the same
 * second, or clocks may differ.
 */
const racyMs = 5 * 60_000;

/** Reading one by one is slower than reading all at once when it is for more than this part of the articles. */
const mostSingles = { part: 0.1, atLeast: 20 } as const;

/**
 * Reads the list without bodies, and then what it reports as changed; `null` when that is too much, or when an id is
 * listed twice, so that only whole records can tell which of them counts.
 */
export async function readChangedArticles(
  reading: Reading,
  previous: Snapshot,
): Promise<ArticlesRead | null> {
  const { http, store, settings } = reading;
  const startMs = timeMs(reading);
  const collector = createCollector(store, settings.defaultLanguage, decideBy(previous));
  await readListing(http, { ...settings.network, includeBody: false }, withProgress(collector, reading));
  const listedAtMs = startMs + http.clockOffsetMs();
  const most = Math.max(mostSingles.atLeast, previous.content.articles.length * mostSingles.part);
  if (collector.hasDuplicates() || collector.pending().length > most) return null;
  for (const stored of collector.kept()) {
    await collector.takeKept(stored, await readSoundBytes(previous.bodies, stored));
  }
  const singleReads = await readSingles(http, collector, settings);
  const { fullReadAtMs, isListWithBodies } = previous.header;
  const known = { mode: 'incremental', listedAtMs, fullReadAtMs, isListWithBodies, etag: null } as const;
  return { ...collector.finish(), ...known, singleReads };
}

function decideBy({ header, content }: Snapshot): (id: string, record: UnknownRecord) => Decision {
  const known = new Map(content.articles.map((stored) => [stored.article.id, stored]));
  return (id, record) => {
    if (!mayBePublic(record)) return 'take';
    const stored = known.get(id);
    const editedAt = stored?.article.updatedAt ?? null;
    if (stored === undefined || editedAt === null) return 'single';
    const isOld = Date.parse(editedAt) < header.listedAtMs - racyMs;
    return isOld && stored.fingerprint === fingerprintRecord(record) ? stored : 'single';
  };
}
