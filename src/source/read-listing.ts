import { createHash, hash } from 'node:crypto';
import { LecternError } from '../core/errors.ts';
import type { Http, HttpResponse } from '../core/net/http.ts';
import { readElements } from '../core/net/read-json.ts';
import { isRecord } from '../core/unknown-record.ts';

export interface ListingSettings {
  /** See `source.listing` in the configuration. */
  readonly listing: 'auto' | 'paged' | 'whole';
  readonly pageSize: number;
  readonly includeBody: boolean;
  /** Reading stops with an error if the list has more articles. */
  readonly maxArticles: number;
  /** Validator of the list when it was last read; absent or `null`: it is always read. */
  readonly etag?: string | null;
}

/** A list that was read; `etag` is the validator of the whole list, if one response contained it. */
interface ReadListing {
  readonly etag: string | null;
}

/** How often to read a list that changes while it is read. */
const maxAttempts = 3;

/**
 * Reads the list of articles to its end and makes sure that it is complete. First it requests the whole list, as the interface document
 * promises, and then what comes after it: nothing → the list is complete; more → the server limits the list, which is then read in pages;
 * known records → the server ignores `skip`, and the list counts as complete unless its length looks like a limit.
 * @returns `null` if the server returned 304: the list is unchanged, and nothing was read
 * @throws LISTING_INCOMPLETE, and what a request throws
 */
export async function readListing(
  http: Http,
  settings: ListingSettings,
  sink: ListSink,
): Promise<ReadListing | null> {
  if (settings.listing !== 'paged') {
    const whole = await readWhole(http, settings, sink);
    if (whole === null) return null;
    const verdict = settings.listing === 'whole' || whole.count === 0 ? 'complete' : await probe(http, whole);
    if (verdict === 'unknown') refuseLikelyCap(whole.count);
    if (verdict !== 'capped') return { etag: whole.etag };
    const outcome = await readPages(http, settings, sink, whole);
    if (outcome.kind === 'complete') return { etag: null };
  }
  await readAllPages(http, settings, sink);
  return { etag: null };
}

async function readAllPages(http: Http, settings: ListingSettings, sink: ListSink): Promise<void> {
  let previous: string | null = null;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    await sink.restart();
    const outcome = await readPages(http, settings, sink, { keys: new Set(), count: 0, last: null });
    if (outcome.kind === 'complete') return;
    // Records that are listed twice at the same positions in every attempt are not a sign of change.
    if (outcome.kind === 'repeats' && outcome.sequence === previous) return;
    previous = outcome.kind === 'repeats' ? outcome.sequence : null;
  }
  throw new LecternError(
    'LISTING_INCOMPLETE',
    `the list of articles changed ${maxAttempts} times while it was read`,
    {
      hint: 'run again while no one edits; if the server ignores "skip" and sends everything, set source.listing to "whole"',
    },
  );
}

async function readWhole(
  http: Http,
  settings: ListingSettings,
  sink: ListSink,
): Promise<(PagesSoFar & { readonly etag: string | null }) | null> {
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
        if (count > maxArticles) throw endlessList('the server', maxArticles, 'articles');
        await sink.take(record);
      }
    }
    return { keys, count, last, etag: response.headers.etag ?? null };
  });
}

/** Requests what comes after the whole list. A server that refuses this request does not support `skip`. */
async function probe(http: Http, whole: PagesSoFar): Promise<'complete' | 'capped' | 'unknown'> {
  const request = {
    ...listRequest({ includeBody: false, limit: 1, skip: whole.count }),
    accept: [400, 404, 405, 416, 422],
  };
  return http.request(request, async (response) => {
    // The range is not satisfiable: it begins after the end.
    if (response.status === 416) return 'complete';
    if (response.status >= 400) return 'unknown';
    const records = await takeRecords(response, whole.count + 1);
    if (records.length === 0) return 'complete';
    return records.some((record) => !whole.keys.has(elementKey(record))) ? 'capped' : 'unknown';
  });
}

/** Limits that servers often use, besides multiples of fifty. */
const commonLimits = new Set([10, 20, 25, 30, 64, 128, 256, 512, 1024, 2048, 4096]);

/** Refuses a list whose length looks like a limit of the server. */
function refuseLikelyCap(count: number): void {
  if (!commonLimits.has(count) && count % 50 !== 0) return;
  throw new LecternError(
    'LISTING_INCOMPLETE',
    `the server lists exactly ${count} articles and does not say whether there are more`,
    {
      hint: 'set source.listing to "whole" if these are all articles, or to "paged" if the server supports limit and skip',
    },
  );
}

/** The part of a list that was read. */
interface PagesSoFar {
  readonly keys: Set<string>;
  readonly count: number;
  /** Key of the last record, or `null` before the first. */
  readonly last: string | null;
}

type PagesOutcome =
  | { readonly kind: 'complete' }
  /** Records were repeated: the list changed, or it contains them twice. The latter gives the same `sequence` in two attempts. */
  | { readonly kind: 'repeats'; readonly sequence: string }
  | { readonly kind: 'moved' };

/**
 * Continues in pages, each starting with the last record of the page before: if another record is there, the list has changed. Only a page
 * without further records is the end, because a server may return fewer than requested.
 * @throws LISTING_INCOMPLETE if the server sends pages but ignores where they should start
 */
async function readPages(
  http: Http,
  { pageSize, includeBody, maxArticles }: ListingSettings,
  sink: ListSink,
  soFar: PagesSoFar,
): Promise<PagesOutcome> {
  const keys = new Set(soFar.keys);
  const sequence = createHash('sha256');
  let { count, last } = soFar;
  let hasRepeats = false;
  for (;;) {
    const overlap = last === null ? 0 : 1;
    const request = listRequest({ includeBody, limit: pageSize, skip: count - overlap });
    // A server that ignores the limit may send a hundred thousand.
    const page = await http.request(request, (response) => takeRecords(response, pageSize + 1));
    const pageKeys = page.map(elementKey);
    if (page.length > pageSize)
      throw new LecternError(
        'LISTING_INCOMPLETE',
        `the server sends more than the ${pageSize} articles asked for`,
        { hint: 'set source.listing to "auto": this server ignores limit and skip' },
      );
    if (overlap === 1 && pageKeys[0] !== last) return { kind: 'moved' };
    if (page.length === overlap) break;
    for (let index = overlap; index < page.length; index += 1) {
      const key = pageKeys[index] as string;
      if (keys.has(key)) hasRepeats = true;
      keys.add(key);
      sequence.update(`${key}\n`);
      await sink.take(page[index]);
    }
    count += page.length - overlap;
    last = pageKeys.at(-1) ?? last;
    if (count > maxArticles) throw endlessList('the server', maxArticles, 'articles');
  }
  return hasRepeats ? { kind: 'repeats', sequence: sequence.digest('hex') } : { kind: 'complete' };
}

/** The error for a list that seems to have no end, of more than `max` records. */
export function endlessList(source: string, max: number, records: string): LecternError {
  return new LecternError('LISTING_INCOMPLETE', `${source} lists more than ${max} ${records}`, {
    hint: 'ask the service operator what the server sends',
  });
}

/** The requested part of the list of articles. */
interface ListPart {
  readonly includeBody: boolean;
  readonly limit?: number;
  readonly skip?: number;
}

/** The request for a part of the list. It never contains `working_copy`, which would return unpublished edits. */
function listRequest({ includeBody, limit, skip }: ListPart) {
  return {
    method: 'GET',
    path: '/article',
    query: { include_body: includeBody ? true : undefined, limit, skip },
  } as const;
}

/** The first records of a response, at most `maxRecords`. */
async function takeRecords(response: HttpResponse, maxRecords: number): Promise<readonly unknown[]> {
  const records: unknown[] = [];
  for await (const elements of readElements(response, 'articles')) {
    records.push(...elements);
    if (records.length >= maxRecords) break;
  }
  return records.slice(0, maxRecords);
}

/** Key that distinguishes records of a list: the id, or the whole record if it has none. */
function elementKey(element: unknown): string {
  if (isRecord(element) && typeof element.article_id === 'string') return element.article_id;
  return `#${hash('sha256', JSON.stringify(element) ?? '')}`;
}

/** Takes the records of a list as they arrive. */
export interface ListSink {
  /** Discards all records so far: the list is read again from the start. */
  restart(): Promise<void>;
  /** Takes one record of any shape. */
  take(record: unknown): Promise<void>;
}
