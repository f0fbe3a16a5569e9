import { LecternError } from '../../core/errors.ts';
import type { Http } from '../../core/net/http.ts';
import { readJson } from '../../core/net/read-json.ts';
import { isRecord } from '../../core/unknown-record.ts';
import { endlessList } from '../read-listing.ts';

const pageSize = 100;

/** How often to read a list that changes while it is read. */
const maxReadings = 3;

/**
 * Reads a list to its end. Starts again if a record is repeated: then the pages have moved, and another record may be missing. Uses cursor
 * pagination, which does not shift when records are added. If a server responds with numbered pages, these are followed, and the number of
 * records must equal its `count`.
 * @param path relative to the origin
 * @param key field of the response that contains the records
 * @param isOfRecord the list belongs to a record that may no longer exist
 * @returns `null` in that case (404, 410)
 * @throws what `Http.request` throws; LISTING_INCOMPLETE
 */
export async function readZendeskList(
  http: Http,
  path: string,
  key: string,
  maxRecords: number,
  isOfRecord: boolean,
): Promise<readonly unknown[] | null> {
  for (let reading = 1; reading <= maxReadings; reading += 1) {
    const records = await readPages();
    if (records === null || !repeats(records)) return records;
  }
  throw unstable('its pages repeat records');

  async function readPages(): Promise<readonly unknown[] | null> {
    const records: unknown[] = [];
    const seen = new Set<string>();
    let query: Readonly<Record<string, string | number>> = { 'page[size]': pageSize };
    for (let page = 2; ; page += 1) {
      const request = { method: 'GET', path, query, accept: isOfRecord ? [404, 410] : [] } as const;
      const answer = await http.request(request, async (response) =>
        response.status >= 400 ? null : await readJson(response),
      );
      if (answer === null) {
        if (records.length === 0) return null;
        throw unstable('a later page does not exist');
      }
      if (!isRecord(answer) || !Array.isArray(answer[key])) throw unstable(`the answer has no list ${key}`);
      records.push(...(answer[key] as unknown[]));
      if (records.length > maxRecords) throw endlessList(path, maxRecords, 'records');
      const { meta, next_page: next, count } = answer;
      if (isRecord(meta) && typeof meta.has_more === 'boolean') {
        if (!meta.has_more) return records;
        const { after_cursor: cursor } = meta;
        if (typeof cursor !== 'string' || seen.has(cursor)) throw unstable('its next page is not named');
        seen.add(cursor);
        query = { 'page[size]': pageSize, 'page[after]': cursor };
      } else if (next === null) {
        if (typeof count === 'number' && count !== records.length) {
          throw unstable(`${records.length} of ${count} records were sent`);
        }
        return records;
      } else if (typeof next === 'string') query = { per_page: pageSize, page };
      else throw unstable('the answer does not say whether there is more');
    }
  }

  function unstable(why: string): LecternError {
    return new LecternError('LISTING_INCOMPLETE', `the list ${path} cannot be read to its end: ${why}`, {
      hint: 'nothing was published; run again, and check that baseUrl is the URL of the help centre',
    });
  }
}

function repeats(records: readonly unknown[]): boolean {
  const ids = records.flatMap((record) => (isRecord(record) && record.id !== undefined ? [record.id] : []));
  return new Set(ids).size < ids.length;
}
