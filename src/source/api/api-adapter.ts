import { inParallel } from '../../core/concurrency.ts';
import { LecternError } from '../../core/errors.ts';
import { type LanguageTag, popularCount } from '../../core/model.ts';
import { parseBaseUrl } from '../../core/net/base-url.ts';
import { createHttp, type Http, type HttpResponse } from '../../core/net/http.ts';
import { readElements } from '../../core/net/read-json.ts';
import { type Problem, problem } from '../../core/problems.ts';
import { isRecord, numberOf } from '../../core/unknown-record.ts';
import { apiIdentity, type IsPublicIn, type ReadTopArticles, type SourceAdapter } from '../adapter.ts';
import { readArticles, readRecord } from '../articles/read-articles.ts';
import {
  buildForest,
  type CategoryForest,
  isCategoryId,
  type LooseCategory,
  normaliseCategory,
} from '../normalise/category.ts';
import { endlessList } from '../read-listing.ts';
import type { FetchSettings } from '../source.ts';

/**
 * The adapter of the HTTP API in docs/service.md. Its reads throw what `Http.request` throws, and
 * LISTING_INCOMPLETE.
 * @throws CONFIG_INVALID, KEY_UNUSABLE (all exit 2)
 */
export function openApiAdapter(settings: FetchSettings): SourceAdapter {
  const { network, defaultLanguage } = settings;
  const { concurrency } = network;
  const baseUrl = parseBaseUrl(settings.baseUrl, settings.insecureLoopback).href;
  const http = createHttp({ ...network, ...settings, baseUrl });
  return {
    identity: apiIdentity(baseUrl),
    readArticles: (reading) => readArticles({ ...reading, http, network }),
    readCategories: (used) => readCategories(http, defaultLanguage, used, concurrency),
    readTopArticles: (languages, isPublic) => readTopArticles(http, languages, isPublic, concurrency),
    close: () => http.close(),
  };
}

/** A list with more categories is refused. */
const maxCategories = 1_000_000;

/** If more categories are missing from the list, they are not requested one by one: then the articles are wrong, not the list. */
const maxSingles = 1000;

/**
 * Reads all categories as a forest. A category that an article or another category names but the list lacks is requested separately,
 * because lists may be limited. The forest and the articles report categories that do not exist.
 * @param used ids that articles name; may contain duplicates
 */
async function readCategories(
  http: Http,
  defaultLanguage: LanguageTag,
  used: readonly string[],
  concurrency: number,
): Promise<CategoryForest> {
  const categories: LooseCategory[] = [];
  const problems: Problem[] = [];
  const take = (record: unknown): void => {
    const read = normaliseCategory(record, defaultLanguage);
    problems.push(...read.problems);
    if (read.category !== null) categories.push(read.category);
  };
  for (const record of await readList(http)) take(record);
  const requested = new Set<string>();
  for (;;) {
    const missing = findMissing(categories, used, requested).slice(0, maxSingles - requested.size);
    if (missing.length === 0) break;
    const found = new Map<string, unknown>();
    await inParallel(missing, concurrency, async (id) => {
      requested.add(id);
      found.set(id, await readOne(http, id));
    });
    // In the order of the ids, because responses arrive in any order.
    for (const id of missing) if (found.get(id) !== null) take(found.get(id));
  }
  const forest = buildForest(categories);
  return { ...forest, problems: [...problems, ...forest.problems] };
}

function readList(http: Http): Promise<readonly unknown[]> {
  return http.request({ method: 'GET', path: '/category' }, async (response) => {
    const all: unknown[] = [];
    for await (const elements of readElements(response, 'categories')) {
      all.push(...elements);
      if (all.length > maxCategories) throw endlessList('the server', maxCategories, 'categories');
    }
    return all;
  });
}

function findMissing(
  categories: readonly LooseCategory[],
  used: readonly string[],
  requested: ReadonlySet<string>,
): readonly string[] {
  const known = new Set(categories.map(({ id }) => id));
  const named = new Set([...used, ...categories.flatMap(({ parentId }) => parentId ?? [])]);
  return [...named].filter((id) => !known.has(id) && !requested.has(id) && isCategoryId(id)).sort();
}

/** `null` if it does not exist, or if the response contains another one. */
async function readOne(http: Http, id: string): Promise<unknown> {
  const record = await readRecord(http, `/category/${id}`, 'category', [400, 403, 404, 405, 410]);
  return isRecord(record) && record.category_id === id ? record : null;
}

/** The interface document has the second one, although the base URL already ends in the version. */
const paths = ['/stats/article', '/v1/stats/article'] as const;

/** Status codes of a service without (these) statistics. */
const absent: readonly number[] = [404, 405, 410, 501];

/**
 * Reads the most viewed articles per language. Statistics are optional: a service without them is not a problem, and an error is reported
 * without stopping the run.
 */
export async function readTopArticles(
  http: Http,
  languages: readonly LanguageTag[],
  isPublic: IsPublicIn,
  concurrency: number,
): Promise<ReadTopArticles> {
  const byLanguage = new Map<LanguageTag, readonly string[]>();
  const read = async (path: string, language: LanguageTag): Promise<boolean> => {
    const request = { method: 'GET', path, query: { language_code: language }, accept: absent } as const;
    const top = await http.request(request, (response) =>
      readEntries(response, (id) => isPublic(id, language)),
    );
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
): Promise<readonly string[] | null> {
  if (response.status >= 400) return null;
  const counts = new Map<string, number>();
  for await (const entries of readElements(response, 'top_articles')) {
    for (const entry of entries) {
      if (!isRecord(entry)) continue;
      const { article_id: id } = entry;
      const count = numberOf(entry.count) ?? 0;
      if (typeof id !== 'string' || !isPublic(id) || count <= 0) continue;
      counts.set(id, Math.max(count, counts.get(id) ?? 0));
    }
  }
  return [...counts]
    .sort(([id, count], [otherId, other]) => other - count || (id < otherId ? -1 : 1))
    .slice(0, popularCount)
    .map(([id]) => id);
}
