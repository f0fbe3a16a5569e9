import { LecternError } from '../../foundation/errors.ts';
import type { Http } from '../http.ts';
import { readElements } from '../json-elements.ts';
import { elementKey, type ListSink, listRequest, takeRecords } from './read-page.ts';
import { type PagesSoFar, readPages, tooManyArticles } from './read-pages.ts';

export interface ListingSettings {
  /** See `source.listing` in the configuration. */
  readonly listing: 'auto' | 'paged' | 'whole';
  readonly pageSize: number;
  readonly includeBody: boolean;
  /** A list with more articles than this is given up. */
  readonly maxArticles: number;
  /** Validator of the list as it was last read; absent or `null`: it is read whatever it is. */
  readonly etag?: string | null;
}

export type ListingOutcome =
  /** The server answered 304: the list still matches the validator. Nothing was read. */
  | { readonly kind: 'unchanged' }
  /** `etag` is the validator of the whole list, where one answer gave it all. */
  | { readonly kind: 'read'; readonly etag: string | null };

/** How often a list that moves while it is read is begun again. */
const maxAttempts = 3;

/**
 * Reads the list of articles to its end, which must be known to be its end. The whole list is asked for first, as the
 * interface promises it, and then what comes after it: nothing → it is complete; more → the server caps it, and it is
 * read on in pages; something known → the server ignores `skip`, and the list counts as complete unless the length looks
 * like a limit.
 * @throws LISTING_MAY_BE_CAPPED, LISTING_UNSTABLE, LISTING_ENDLESS, and what a request throws
 */
export async function readListing(
  http: Http,
  settings: ListingSettings,
  sink: ListSink,
): Promise<ListingOutcome> {
  if (settings.listing !== 'paged') {
    const whole = await readWhole(http, settings, sink);
    if (whole === null) return { kind: 'unchanged' };
    const verdict = settings.listing === 'whole' || whole.count === 0 ? 'complete' : await probe(http, whole);
    if (verdict === 'unknown') refuseLikelyCap(whole.count);
    if (verdict !== 'capped') return { kind: 'read', etag: whole.etag };
    const outcome = await readPages(http, settings, sink, whole);
    if (outcome.kind === 'complete') return { kind: 'read', etag: null };
  }
  await readAllPages(http, settings, sink);
  return { kind: 'read', etag: null };
}

async function readAllPages(http: Http, settings: ListingSettings, sink: ListSink): Promise<void> {
  let previous: string | null = null;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    await sink.restart();
    const outcome = await readPages(http, settings, sink, { keys: new Set(), count: 0, last: null });
    if (outcome.kind === 'complete') return;
    // Records that are listed twice at the same positions every time are no sign of change.
    if (outcome.kind === 'repeats' && outcome.sequence === previous) return;
    previous = outcome.kind === 'repeats' ? outcome.sequence : null;
  }
  throw new LecternError(
    'LISTING_UNSTABLE',
    `the list of articles changed ${maxAttempts} times while it was read`,
    {
      hint: 'run again while nobody edits; if the server ignores "skip" and sends everything, set source.listing to "whole"',
    },
  );
}

interface WholeList extends PagesSoFar {
  readonly etag: string | null;
}

async function readWhole(http: Http, settings: ListingSettings, sink: ListSink): Promise<WholeList | null> {
  const { includeBody, etag, maxArticles } = settings;
  const condition = etag ? { headers: { 'if-none-match': etag }, accept: [304] } : {};
  return http.request({ ...listRequest({ includeBody }), ...condition }, async (response) => {
    if (response.status === 304) return null;
    await sink.restart();
    const keys = new Set<string>();
    let count = 0;
    let last: string | null = null;
    for await (const records of readElements(response, 'articles')) {
      for (const record of records) {
        last = elementKey(record);
        keys.add(last);
        count += 1;
        if (count > maxArticles) throw tooManyArticles(maxArticles);
        await sink.take(record);
      }
    }
    return { keys, count, last, etag: response.headers.etag ?? null };
  });
}

/** Asks for what comes after the whole list. A server that refuses the question does not know it. */
async function probe(http: Http, whole: PagesSoFar): Promise<'complete' | 'capped' | 'unknown'> {
  const request = {
    ...listRequest({ includeBody: false, limit: 1, skip: whole.count }),
    accept: [400, 404, 405, 422],
  };
  return http.request(request, async (response) => {
    if (response.status >= 400) return 'unknown';
    const records = await takeRecords(response, whole.count + 1);
    if (records.length === 0) return 'complete';
    return records.some((record) => !whole.keys.has(elementKey(record))) ? 'capped' : 'unknown';
  });
}

function refuseLikelyCap(count: number): void {
  if (!looksCapped(count)) return;
  throw new LecternError(
    'LISTING_MAY_BE_CAPPED',
    `the server lists exactly ${count} articles and does not say whether there are more`,
    {
      hint: 'set source.listing to "whole" if these are all articles, or to "paged" if the server supports limit and skip',
    },
  );
}

/** Limits that servers commonly set, besides the multiples of fifty. */
const commonLimits = new Set([10, 20, 25, 30, 64, 128, 256, 512, 1024, 2048, 4096]);

/** Whether a list has a length at which servers like to cut lists off. */
export function looksCapped(length: number): boolean {
  return commonLimits.has(length) || (length > 0 && length % 50 === 0);
}
