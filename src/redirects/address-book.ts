import type { LanguageTag } from '../model.ts';
import type { PageAddress, Plan } from '../plan/plan.ts';
import { z } from '../schema.ts';

/** The published file that remembers where every page was. */
export const addressBookPath = 'addresses.json';

const entrySchema = z.object({
  kind: z.enum(['article', 'category']),
  id: z.string(),
  language: z.string(),
  /** File of the page now; `null` when there is none any more. */
  path: z.string().nullable(),
  /** Files it had before, the latest first. */
  earlier: z.array(z.string()),
});

/** Where a page is and was. */
export type AddressEntry = z.output<typeof entrySchema>;

const bookSchema = z.object({ schema: z.literal('lectern.addresses/1'), pages: z.array(entrySchema) });

/** Addresses beyond this many renames are forgotten, the oldest first. */
const longestMemory = 50;

/** Reads the book of the previous output; `null` when it is no book of this version. */
export function parseAddressBook(bytes: Uint8Array): readonly AddressEntry[] | null {
  try {
    return bookSchema.parse(JSON.parse(new TextDecoder().decode(bytes))).pages;
  } catch {
    return null;
  }
}

/** The book after this run: pages of the plan with the addresses they had, and what is gone. Sorted. */
export function updateAddressBook(previous: readonly AddressEntry[], plan: Plan): readonly AddressEntry[] {
  const before = new Map(previous.map((entry) => [keyOf(entry), entry]));
  const now = [...currentPages(plan)].map((page) => {
    const known = before.get(keyOf(page));
    before.delete(keyOf(page));
    return { ...page, earlier: remember(known, page.path) };
  });
  const gone = [...before.values()].map((entry) => ({
    ...entry,
    path: null,
    earlier: remember(entry, null),
  }));
  return [...now, ...gone].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** One page per line, so that a change is one line of a diff. */
export function printAddressBook(entries: readonly AddressEntry[]): string {
  const lines = entries.map((entry) => `    ${JSON.stringify(entry)}`);
  return `{\n  "schema": "lectern.addresses/1",\n  "pages": [\n${lines.join(',\n')}\n  ]\n}\n`;
}

function* currentPages(
  plan: Plan,
): Generator<Omit<AddressEntry, 'earlier' | 'path'> & { readonly path: string }> {
  for (const [id, { pages }] of plan.articles) yield* pagesOf('article', id, pages);
  for (const [id, pages] of plan.categoryPages) yield* pagesOf('category', id, pages);
}

function* pagesOf<Kind extends AddressEntry['kind']>(
  kind: Kind,
  id: string,
  pages: ReadonlyMap<LanguageTag, PageAddress>,
) {
  for (const [language, { path }] of pages) yield { kind, id, language, path };
}

function remember(entry: AddressEntry | undefined, path: string | null): string[] {
  if (entry === undefined) return [];
  const known = entry.path === null ? entry.earlier : [entry.path, ...entry.earlier];
  return [...new Set(known)].filter((earlier) => earlier !== path).slice(0, longestMemory);
}

function keyOf({ kind, id, language }: Pick<AddressEntry, 'kind' | 'id' | 'language'>): string {
  return `${kind}/${id}/${language}`;
}
