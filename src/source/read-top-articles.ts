import { inParallel } from '../foundation/concurrency.ts';
import { LecternError } from '../foundation/errors.ts';
import type { LanguageTag, TopArticle } from '../foundation/model.ts';
import { type Problem, problem } from '../foundation/problems.ts';
import type { Http, HttpResponse } from './http.ts';
import { readElements } from './json-elements.ts';
import { isRecord } from './normalise/fields.ts';

export interface TopArticles {
  /** Languages without views are absent. */
  readonly byLanguage: ReadonlyMap<LanguageTag, readonly TopArticle[]>;
  readonly problems: readonly Problem[];
}

/** The interface writes the second one, although the base address ends in the version already. */
const paths = ['/stats/article', '/v1/stats/article'] as const;

/** How a service says that it has no statistics (of this kind). */
const absent: readonly number[] = [404, 405, 410, 501];

/**
 * Reads the most viewed articles per language. Statistics are an extra: a service without them is no oddity, and one
 * that fails at them is reported without stopping the run.
 */
export async function readTopArticles(
  http: Http,
  languages: readonly LanguageTag[],
  isPublic: (id: string) => boolean,
  concurrency: number,
): Promise<TopArticles> {
  const byLanguage = new Map<LanguageTag, readonly TopArticle[]>();
  const read = async (path: string, language: LanguageTag): Promise<boolean> => {
    const request = { method: 'GET', path, query: { language_code: language }, accept: absent } as const;
    const top = await http.request(request, (response) => readEntries(response, isPublic));
    if (top !== null && top.length > 0) byLanguage.set(language, top);
    return top !== null;
  };
  try {
    const [first, ...others] = languages;
    if (first === undefined) return { byLanguage, problems: [] };
    const path = (await read(paths[0], first)) ? paths[0] : (await read(paths[1], first)) ? paths[1] : null;
    if (path !== null)
      await inParallel(others, concurrency, async (language) => void (await read(path, language)));
  } catch (error) {
    if (!(error instanceof LecternError)) throw error;
    return { byLanguage: new Map(), problems: [problem('STATISTICS_UNAVAILABLE', error.message)] };
  }
  return { byLanguage: new Map([...byLanguage].sort(([a], [b]) => (a < b ? -1 : 1))), problems: [] };
}

async function readEntries(
  response: HttpResponse,
  isPublic: (id: string) => boolean,
): Promise<readonly TopArticle[] | null> {
  if (response.status >= 400) return null;
  const counts = new Map<string, number>();
  for await (const entries of readElements(response, 'top_articles')) {
    for (const entry of entries) {
      if (!isRecord(entry)) continue;
      const { article_id: id, count } = entry;
      if (typeof id !== 'string' || !isPublic(id) || typeof count !== 'number' || !(count > 0)) continue;
      counts.set(id, Math.max(count, counts.get(id) ?? 0));
    }
  }
  return [...counts]
    .map(([articleId, count]) => ({ articleId, count }))
    .sort((a, b) => b.count - a.count || (a.articleId < b.articleId ? -1 : 1));
}
