import type { LanguageTag } from '../../core/model.ts';
import { z } from '../../core/schema.ts';
import type { PageAddress, Plan } from '../plan/plan.ts';

/** The published URL history: current and former paths of every page. Paths are only in it as long as they lead to a public page. */
export const urlHistoryPath = 'addresses.json';

const urlHistoryEntry = z.object({
  kind: z.enum(['article', 'category']),
  id: z.string(),
  language: z.string(),
  /** File of the page; `null` if it no longer exists. */
  path: z.string().nullable(),
  /** Former files, latest first. */
  earlier: z.array(z.string()),
  /** Slugs of the record in the knowledge base, latest first: they are part of legacy URLs. */
  slugs: z.array(z.string()).default([]),
});

/** Current and former paths of a page. */
export type UrlHistoryEntry = z.output<typeof urlHistoryEntry>;

/** The unique sort key of an entry. */
export function entryKey({ kind, id, language }: Pick<UrlHistoryEntry, 'kind' | 'id' | 'language'>): string {
  return `${kind}/${id}/${language}`;
}

/** Maximum number of earlier paths, and of slugs, stored per page; the oldest are dropped. */
const maxEarlier = 50;

/**
 * The URL history after this run: pages of the plan with their former paths, and removed translations of their records. Nothing is left of
 * records without a page, because their paths may be what had to be removed. Sorted.
 * @param previous sorted
 * @param slugOf returns the slug of a record in the knowledge base, or `null`
 * @param former paths elsewhere, and pages that were renamed: their history continues under the new key
 */
export function* updateUrlHistory(
  previous: Iterable<UrlHistoryEntry>,
  plan: Plan,
  slugOf: (page: Pick<UrlHistoryEntry, 'kind' | 'id' | 'language'>) => string | null,
  former: FormerPaths = { of: () => [], replaced: new Map() },
): Generator<UrlHistoryEntry> {
  const wanted = new Set(former.replaced.values());
  const predecessors = new Map<string, UrlHistoryEntry>();
  if (wanted.size > 0) {
    for (const entry of previous) if (wanted.has(entryKey(entry))) predecessors.set(entryKey(entry), entry);
  }
  const before = previous[Symbol.iterator]();
  let known = before.next();
  function* withoutPage(entry: UrlHistoryEntry): Generator<UrlHistoryEntry> {
    if (pagesOf(plan, entry.kind, entry.id) === undefined) return;
    yield { ...entry, path: null, earlier: withEarlier(entry, null), slugs: [] };
  }
  for (const page of currentPages(plan)) {
    const key = entryKey(page);
    for (; known.done !== true && entryKey(known.value) < key; known = before.next())
      yield* withoutPage(known.value);
    const isKnown = known.done !== true && entryKey(known.value) === key;
    const slug = slugOf(page);
    const predecessor = predecessors.get(former.replaced.get(key) ?? '');
    const slugs = [...(slug === null ? [] : [slug]), ...(isKnown ? known.value.slugs : [])];
    yield {
      ...page,
      earlier: [
        ...new Set([
          ...(isKnown ? withEarlier(known.value, page.path) : []),
          ...former.of(page),
          ...(predecessor === undefined ? [] : withEarlier(predecessor, page.path)),
        ]),
      ]
        .filter((path) => path !== page.path && path.replace(/\/?$/, '/index.html') !== page.path)
        .slice(0, maxEarlier),
      slugs: [...new Set(slugs)].slice(0, maxEarlier),
    };
    if (isKnown) known = before.next();
  }
  for (; known.done !== true; known = before.next()) yield* withoutPage(known.value);
}

/** What the URL history takes from a folder of pages. */
export interface FormerPaths {
  /** Further paths that lead to a page. */
  readonly of: (page: Pick<UrlHistoryEntry, 'kind' | 'id' | 'language'>) => readonly string[];
  /** The keys ({@link entryKey}) of pages that were renamed, with those that they had before. */
  readonly replaced: ReadonlyMap<string, string>;
}

/** The pages of a record by language; `undefined` if it has none. */
export function pagesOf(
  plan: Plan,
  kind: UrlHistoryEntry['kind'],
  id: string,
): ReadonlyMap<LanguageTag, PageAddress> | undefined {
  return kind === 'article' ? plan.articles.get(id)?.pages : plan.categoryPages.get(id);
}

/** Lists the current pages, sorted by key. */
function* currentPages(
  plan: Plan,
): Generator<Omit<UrlHistoryEntry, 'earlier' | 'slugs' | 'path'> & { readonly path: string }> {
  for (const id of sortedIds(plan.articles))
    yield* describePages('article', id, plan.articles.get(id)?.pages);
  for (const id of sortedIds(plan.categoryPages))
    yield* describePages('category', id, plan.categoryPages.get(id));
}

/** Sorts ids as their keys sort: in a key, a slash follows the id. */
function sortedIds(records: ReadonlyMap<string, unknown>): readonly string[] {
  return [...records.keys()].sort((a, b) => (`${a}/` < `${b}/` ? -1 : 1));
}

function* describePages<Kind extends UrlHistoryEntry['kind']>(
  kind: Kind,
  id: string,
  pages: ReadonlyMap<LanguageTag, PageAddress> | undefined,
) {
  const languages = [...(pages?.keys() ?? [])].sort();
  for (const language of languages) yield { kind, id, language, path: pages?.get(language)?.path ?? '' };
}

function withEarlier(entry: UrlHistoryEntry, path: string | null): string[] {
  const known = entry.path === null ? entry.earlier : [entry.path, ...entry.earlier];
  return [...new Set(known)].filter((earlier) => earlier !== path).slice(0, maxEarlier);
}

/** One page per line, so that a change is one line of a diff. */
export function* serializeUrlHistory(entries: Iterable<UrlHistoryEntry>): Generator<string> {
  yield '{\n  "schema": "lectern.addresses/1",\n  "pages": [';
  let separator = '\n';
  for (const entry of entries) {
    const { slugs, ...rest } = entry;
    yield `${separator}    ${JSON.stringify(slugs.length === 0 ? rest : entry)}`;
    separator = ',\n';
  }
  yield '\n  ]\n}\n';
}

const historySchema = z.object({
  schema: z.literal('lectern.addresses/1'),
  pages: z.array(urlHistoryEntry),
});

/**
 * Parses a URL history.
 * @returns the entries, sorted; `null` if it is damaged or of another version
 */
export function parseUrlHistory(bytes: Uint8Array): readonly UrlHistoryEntry[] | null {
  try {
    const { pages } = historySchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
    const byKey = new Map(pages.map((entry) => [entryKey(entry), entry]));
    return [...byKey.values()].sort((a, b) => (entryKey(a) < entryKey(b) ? -1 : 1));
  } catch {
    return null;
  }
}
