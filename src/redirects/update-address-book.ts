import type { LanguageTag } from '../foundation/model.ts';
import type { PageAddress, Plan } from '../plan/plan.ts';
import { type AddressEntry, entryKey } from './address-entry.ts';

/** Addresses beyond this many renames are forgotten, the oldest first. */
const longestMemory = 50;

/**
 * The book after this run: pages of the plan with the addresses they had, and what is gone. Sorted.
 * @param previous sorted
 */
export function* updateAddressBook(previous: Iterable<AddressEntry>, plan: Plan): Generator<AddressEntry> {
  const before = previous[Symbol.iterator]();
  let known = before.next();
  for (const page of currentPages(plan)) {
    const key = entryKey(page);
    for (; known.done !== true && entryKey(known.value) < key; known = before.next()) yield gone(known.value);
    const isKnown = known.done !== true && entryKey(known.value) === key;
    yield { ...page, earlier: isKnown ? remember(known.value, page.path) : [] };
    if (isKnown) known = before.next();
  }
  for (; known.done !== true; known = before.next()) yield gone(known.value);
}

function gone(entry: AddressEntry): AddressEntry {
  return { ...entry, path: null, earlier: remember(entry, null) };
}

/** Sorted as the book is. */
function* currentPages(
  plan: Plan,
): Generator<Omit<AddressEntry, 'earlier' | 'path'> & { readonly path: string }> {
  for (const id of sortedIds(plan.articles)) yield* pagesOf('article', id, plan.articles.get(id)?.pages);
  for (const id of sortedIds(plan.categoryPages)) yield* pagesOf('category', id, plan.categoryPages.get(id));
}

/** In keys a slash follows the id. */
function sortedIds(records: ReadonlyMap<string, unknown>): readonly string[] {
  return [...records.keys()].sort((a, b) => (`${a}/` < `${b}/` ? -1 : 1));
}

function* pagesOf<Kind extends AddressEntry['kind']>(
  kind: Kind,
  id: string,
  pages: ReadonlyMap<LanguageTag, PageAddress> | undefined,
) {
  const languages = [...(pages?.keys() ?? [])].sort();
  for (const language of languages) yield { kind, id, language, path: pages?.get(language)?.path ?? '' };
}

function remember(entry: AddressEntry, path: string | null): string[] {
  const known = entry.path === null ? entry.earlier : [entry.path, ...entry.earlier];
  return [...new Set(known)].filter((earlier) => earlier !== path).slice(0, longestMemory);
}
