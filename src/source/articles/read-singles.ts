import { inParallel } from '../../foundation/concurrency.ts';
import type { Http } from '../http.ts';
import { isRecord } from '../normalise/fields.ts';
import { readJson } from '../read-json.ts';
import type { Reading } from './articles-read.ts';
import type { ArticleCollector } from './collect-articles.ts';

/** Reads every article the collector waits for, some at a time; gives their number. */
export async function readSingles(
  http: Http,
  collector: ArticleCollector,
  settings: Reading['settings'],
): Promise<number> {
  const ids = collector.pending();
  let done = 0;
  await inParallel(ids, settings.network.concurrency, async (id) => {
    await collector.takeSingle(id, await readSingle(http, id));
    done += 1;
    settings.onProgress?.({ kind: 'bodies', done, total: ids.length });
  });
  return ids.length;
}

/** Reads one article by itself; `null` when it does not exist (any more). The record is as the server gives it. */
export async function readSingle(http: Http, id: string): Promise<unknown> {
  const request = { method: 'GET', path: `/article/${encodeURIComponent(id)}`, accept: [404, 410] } as const;
  return http.request(request, async (response) => {
    if (response.status >= 400) return null;
    const value = await readJson(response);
    return isRecord(value) && 'article' in value ? value.article : value;
  });
}
