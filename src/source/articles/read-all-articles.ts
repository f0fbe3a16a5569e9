import { readListing } from '../listing/read-listing.ts';
import { needsSingleRead } from '../normalise/needs-single-read.ts';
import { type ArticlesRead, type Reading, timeMs } from './articles-read.ts';
import { createCollector } from './collect-articles.ts';
import { readSingles } from './read-singles.ts';
import { withProgress } from './with-progress.ts';

/** Reads the whole list with its bodies; `null` when it is still the one the validator stands for. */
export async function readAllArticles(reading: Reading, etag: string | null): Promise<ArticlesRead | null> {
  const { http, store, settings } = reading;
  const startMs = timeMs(reading);
  const collector = createCollector(store, settings.defaultLanguage, (_id, record) =>
    needsSingleRead(record) ? 'single' : 'take',
  );
  const listing = { ...settings.network, includeBody: true, etag };
  const outcome = await readListing(http, listing, withProgress(collector, reading));
  if (outcome.kind === 'unchanged') return null;
  const listedAtMs = startMs + http.clockOffsetMs();
  const singleReads = await readSingles(http, collector, settings);
  const collected = collector.finish();
  return {
    ...collected,
    mode: 'full',
    listedAtMs,
    fullReadAtMs: startMs,
    isListWithBodies: singleReads * 2 <= collected.articles.length,
    // The validator says nothing of bodies that are not in the list.
    etag: singleReads === 0 ? outcome.etag : null,
    singleReads,
  };
}
