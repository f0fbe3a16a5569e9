import { inParallel } from '../../foundation/concurrency.ts';
import type { Http } from '../http.ts';
import { readSingle } from '../listing/read-single.ts';
import type { FetchSettings } from '../source-settings.ts';
import type { ArticleCollector } from './collect-articles.ts';

/** Reads every article the collector waits for, some at a time; gives their number. */
export async function readSingles(
  http: Http,
  collector: ArticleCollector,
  settings: FetchSettings,
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
