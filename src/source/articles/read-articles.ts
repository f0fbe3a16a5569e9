import type { StoredArticle } from '../snapshot/format.ts';
import { readSoundBytes } from '../snapshot/read-bodies.ts';
import type { Snapshot } from '../snapshot/read-index.ts';
import { type ArticlesRead, type Reading, timeMs } from './articles-read.ts';
import { isIncrementalDue, isRecent } from './full-read-rule.ts';
import { readAllArticles } from './read-all-articles.ts';
import { readChangedArticles } from './read-changed-articles.ts';

/**
 * Reads all articles in the way that costs least and misses nothing: where the last snapshot is recent, only what the
 * list without bodies reports as changed, or nothing when the server says that the whole list is as it was; else all.
 */
export async function readArticles(reading: Reading): Promise<ArticlesRead> {
  const { previous, settings } = reading;
  const nowMs = timeMs(reading);
  const rule = { ...settings.network, generator: settings.generator };
  if (previous !== null && isRecent(previous.header, rule, nowMs)) {
    const read = isIncrementalDue(previous.header, rule, nowMs)
      ? await readChangedArticles(reading, previous)
      : await readUnlessUnchanged(reading, previous);
    if (read !== null) return read;
  }
  return (await readAllArticles(reading, null)) as ArticlesRead;
}

/** `null` where the last snapshot has no validator, or is damaged. */
async function readUnlessUnchanged(reading: Reading, previous: Snapshot): Promise<ArticlesRead | null> {
  const { header, content } = previous;
  if (header.etag === null) return null;
  const read = await readAllArticles(reading, header.etag);
  if (read !== null) return read;
  const articles: StoredArticle[] = [];
  for (const stored of content.articles) {
    const bodies = await readSoundBytes(previous.bodies, stored);
    if (bodies === null) return null;
    articles.push({ ...stored, place: await reading.store.append(bodies) });
  }
  const { excluded, listingProblems: problems } = content;
  return { ...header, mode: 'unchanged', articles, excluded, problems, singleReads: 0 };
}
