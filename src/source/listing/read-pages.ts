import { createHash } from 'node:crypto';
import { LecternError } from '../../foundation/errors.ts';
import type { Http } from '../http.ts';
import { elementKey, type ListSink, readPage } from './read-page.ts';

/** What of a list has been read. */
export interface PagesSoFar {
  readonly keys: Set<string>;
  readonly count: number;
  /** Key of the last record, or `null` before the first. */
  readonly last: string | null;
}

export interface PageSettings {
  readonly pageSize: number;
  readonly includeBody: boolean;
  /** A list with more articles than this is given up. */
  readonly maxArticles: number;
}

export type PagesOutcome =
  | { readonly kind: 'complete' }
  /** Records came again: the list moved, or it holds them twice; the same `sequence` twice tells. */
  | { readonly kind: 'repeats'; readonly sequence: string }
  | { readonly kind: 'moved' };

/**
 * Reads on in pages, each beginning with the last record of the one before: when that is another one, the list has
 * moved. Only a page that brings nothing after it is the end, since a server may give less than it is asked for.
 * @throws LISTING_MAY_BE_CAPPED when the server sends pages but ignores where they should begin, LISTING_ENDLESS
 */
export async function readPages(
  http: Http,
  { pageSize, includeBody, maxArticles }: PageSettings,
  sink: ListSink,
  soFar: PagesSoFar,
): Promise<PagesOutcome> {
  const keys = new Set(soFar.keys);
  const sequence = createHash('sha256');
  let { count, last } = soFar;
  let hasRepeats = false;
  for (;;) {
    const overlap = last === null ? 0 : 1;
    const page = await readPage(http, { limit: pageSize, skip: count - overlap, includeBody });
    const pageKeys = page.map(elementKey);
    if (page.length > pageSize) throw ignoresLimit(pageSize);
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
    if (count > maxArticles) throw tooManyArticles(maxArticles);
  }
  return hasRepeats ? { kind: 'repeats', sequence: sequence.digest('hex') } : { kind: 'complete' };
}

/** The error for a list that seems to have no end. */
export function tooManyArticles(maxArticles: number): LecternError {
  return new LecternError('LISTING_ENDLESS', `the server lists more than ${maxArticles} articles`, {
    hint: 'ask the service operator what the server sends; raise source.maxArticles if this is correct',
  });
}

function ignoresLimit(pageSize: number): LecternError {
  return new LecternError(
    'LISTING_MAY_BE_CAPPED',
    `the server sends more than the ${pageSize} articles asked for`,
    {
      hint: 'set source.listing to "auto": this server ignores limit and skip',
    },
  );
}
