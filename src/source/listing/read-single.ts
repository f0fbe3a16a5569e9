import type { Http } from '../http.ts';
import { isRecord } from '../normalise/fields.ts';
import { readJson } from '../read-json.ts';

/** Reads one article by itself; `null` when it does not exist (any more). The record is as the server gives it. */
export async function readSingle(http: Http, id: string): Promise<unknown> {
  const request = { method: 'GET', path: `/article/${encodeURIComponent(id)}`, accept: [404, 410] } as const;
  return http.request(request, async (response) => {
    if (response.status >= 400) return null;
    const value = await readJson(response);
    return isRecord(value) && 'article' in value ? value.article : value;
  });
}
