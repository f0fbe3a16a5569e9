import { inParallel } from '../foundation/concurrency.ts';
import { LecternError } from '../foundation/errors.ts';
import type { LanguageTag } from '../foundation/model.ts';
import type { Problem } from '../foundation/problems.ts';
import type { Http } from './http.ts';
import { readElements } from './json-elements.ts';
import { isCategoryId, type LooseCategory, normaliseCategory } from './normalise/category.ts';
import { buildForest, type CategoryForest } from './normalise/category-forest.ts';
import { isRecord } from './normalise/fields.ts';
import { readJson } from './read-json.ts';

export interface CategorySettings {
  readonly defaultLanguage: LanguageTag;
  /** Ids that articles name; repeats do not matter. */
  readonly used: readonly string[];
  readonly concurrency: number;
}

/** More categories than this are no knowledge base. */
const mostCategories = 1_000_000;

/** More categories than this are not asked for one by one: then the articles, not the list, are wrong. */
const mostSingles = 1000;

/**
 * Reads all categories and puts them into a forest. A category that an article or another category names and the list
 * lacks is asked for by itself, since lists may be capped; what does not exist is for the forest and the articles to say.
 */
export async function readCategories(http: Http, settings: CategorySettings): Promise<CategoryForest> {
  const categories: LooseCategory[] = [];
  const problems: Problem[] = [];
  const take = (record: unknown): void => {
    const read = normaliseCategory(record, settings.defaultLanguage);
    problems.push(...read.problems);
    if (read.category !== null) categories.push(read.category);
  };
  for (const record of await readList(http)) take(record);
  const asked = new Set<string>();
  for (;;) {
    const missing = findMissing(categories, settings.used, asked).slice(0, mostSingles - asked.size);
    if (missing.length === 0) break;
    const found = new Map<string, unknown>();
    await inParallel(missing, settings.concurrency, async (id) => {
      asked.add(id);
      found.set(id, await readOne(http, id));
    });
    // In the order of the ids, since answers come in any.
    for (const id of missing) if (found.get(id) !== null) take(found.get(id));
  }
  const forest = buildForest(categories);
  return { categories: forest.categories, problems: [...problems, ...forest.problems] };
}

function readList(http: Http): Promise<readonly unknown[]> {
  return http.request({ method: 'GET', path: '/category' }, async (response) => {
    const all: unknown[] = [];
    for await (const elements of readElements(response, 'categories')) {
      all.push(...elements);
      if (all.length > mostCategories) {
        throw new LecternError('LISTING_ENDLESS', `the server lists more than ${mostCategories} categories`, {
          hint: 'ask the service operator what the server sends',
        });
      }
    }
    return all;
  });
}

function findMissing(
  categories: readonly LooseCategory[],
  used: readonly string[],
  asked: ReadonlySet<string>,
): readonly string[] {
  const known = new Set(categories.map(({ id }) => id));
  const named = new Set([...used, ...categories.flatMap(({ parentId }) => parentId ?? [])]);
  return [...named].filter((id) => !known.has(id) && !asked.has(id) && isCategoryId(id)).sort();
}

/** `null` when it does not exist, or when the answer is another one. */
function readOne(http: Http, id: string): Promise<unknown> {
  const request = { method: 'GET', path: `/category/${id}`, accept: [400, 403, 404, 405, 410] } as const;
  return http.request(request, async (response) => {
    if (response.status >= 400) return null;
    const value = await readJson(response);
    const record = isRecord(value) && 'category' in value ? value.category : value;
    return isRecord(record) && record.category_id === id ? record : null;
  });
}
