import { hash } from 'node:crypto';
import type { Http, HttpResponse } from '../http.ts';
import { readElements } from '../json-elements.ts';
import { isRecord } from '../normalise/fields.ts';

/** Which part of the list of articles to ask for. */
export interface ListQuery {
  readonly includeBody: boolean;
  readonly limit?: number;
  readonly skip?: number;
}

/** The request for a part of the list; `working_copy` is never sent, since it gives unpublished edits. */
export function listRequest({ includeBody, limit, skip }: ListQuery) {
  return {
    method: 'GET',
    path: '/article',
    query: { include_body: includeBody ? true : undefined, limit, skip },
  } as const;
}

/**
 * One page of the list, held in memory as a whole. At most `query.limit` + 1 records are read, since a server that
 * ignores `limit` may send a hundred thousand.
 */
export async function readPage(
  http: Http,
  query: ListQuery & { readonly limit: number },
): Promise<readonly unknown[]> {
  return http.request(listRequest(query), (response) => takeRecords(response, query.limit + 1));
}

/** The first records of an answer, at most `most`. */
export async function takeRecords(response: HttpResponse, most: number): Promise<readonly unknown[]> {
  const records: unknown[] = [];
  for await (const elements of readElements(response, 'articles')) {
    records.push(...elements);
    if (records.length >= most) break;
  }
  return records.slice(0, most);
}

/** Key that distinguishes records of a list: the id, or the whole record if it has none. */
export function elementKey(element: unknown): string {
  if (isRecord(element) && typeof element.article_id === 'string') return element.article_id;
  return `#${hash('sha256', JSON.stringify(element) ?? '')}`;
}

/** Takes the records of a list as they arrive. */
export interface ListSink {
  /** Forgets every record taken so far: the list is read again from its beginning. */
  restart(): Promise<void>;
  /** Takes one record, whatever it is. */
  take(record: unknown): Promise<void>;
}
