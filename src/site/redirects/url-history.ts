import type { LanguageTag } from '../../core/model.ts';
import { z } from '../../core/schema.ts';
import { parseJsonOrNull } from '../../core/unknown-record.ts';
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
 * records without a page, because their paths may be what had to be removed. Sorted by key.
 * @param slugOf returns the slug of a record in the knowledge base, or `null`
 * @param former paths elsewhere, and pages that were renamed: their history continues under the new key
 */
export function updateUrlHistory(
  previous: readonly UrlHistoryEntry[],
  plan: Plan,
  slugOf: (page: Pick<UrlHistoryEntry, 'kind' | 'id' | 'language'>) => string | null,
  former: FormerPaths,
): readonly UrlHistoryEntry[] {
  const before = new Map(previous.map((entry) => [entryKey(entry), entry]));
  const entries = new Map<string, UrlHistoryEntry>();
  for (const page of currentPages(plan)) {
    const key = entryKey(page);
    const known = before.get(key);
    const predecessor = before.get(former.replaced.get(key) ?? '');
    const slug = slugOf(page);
    const earlier = new Set([
      ...(known === undefined ? [] : withEarlier(known, page.path)),
      ...former.of(page),
      ...(predecessor === undefined ? [] : withEarlier(predecessor, page.path)),
    ]);
    const slugs = new Set([...(slug === null ? [] : [slug]), ...(known?.slugs ?? [])]);
    entries.set(key, {
      ...page,
      earlier: [...earlier]
        .filter((path) => path !== page.path && path.replace(/\/?$/, '/index.html') !== page.path)
        .slice(0, maxEarlier),
      slugs: [...slugs].slice(0, maxEarlier),
    });
  }
  for (const [key, entry] of before) {
    if (entries.has(key) || pagesOf(plan, entry.kind, entry.id) === undefined) continue;
    entries.set(key, { ...entry, path: null, earlier: withEarlier(entry, null), slugs: [] });
  }
  return [...entries.keys()].sort().map((key) => entries.get(key) as UrlHistoryEntry);
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

function* currentPages({ articles, categoryPages }: Plan) {
  for (const [id, { pages }] of articles)
    for (const [language, { path }] of pages) yield { kind: 'article', id, language, path } as const;
  for (const [id, pages] of categoryPages)
    for (const [language, { path }] of pages) yield { kind: 'category', id, language, path } as const;
}

function withEarlier(entry: UrlHistoryEntry, path: string | null): string[] {
  const known = entry.path === null ? entry.earlier : [entry.path, ...entry.earlier];
  return [...new Set(known)].filter((earlier) => earlier !== path).slice(0, maxEarlier);
}

/** One page per line, so that a change is one line of a diff. */
export function serializeUrlHistory(entries: readonly UrlHistoryEntry[]): string {
  const lines = entries.map((entry) => {
    const { slugs, ...rest } = entry;
    return `\n    ${JSON.stringify(slugs.length === 0 ? rest : entry)}`;
  });
  return `{\n  "schema": "lectern.addresses/1",\n  "pages": [${lines.join(',')}\n  ]\n}\n`;
}

const historySchema = z.object({
  schema: z.literal('lectern.addresses/1'),
  pages: z.array(urlHistoryEntry),
});

/** Parses a URL history; `null` if it is damaged or of another version. */
export function parseUrlHistory(bytes: Uint8Array): readonly UrlHistoryEntry[] | null {
  return historySchema.safeParse(parseJsonOrNull(new TextDecoder().decode(bytes))).data?.pages ?? null;
}
