import { z } from '../foundation/schema.ts';

/** The published file that remembers where every page was. */
export const addressBookPath = 'addresses.json';

export const addressEntry = z.object({
  kind: z.enum(['article', 'category']),
  id: z.string(),
  language: z.string(),
  /** File of the page now; `null` when there is none any more. */
  path: z.string().nullable(),
  /** Files it had before, the latest first. */
  earlier: z.array(z.string()),
});

/** Where a page is and was. */
export type AddressEntry = z.output<typeof addressEntry>;

/** What the book is sorted by; no two entries have the same. */
export function entryKey({ kind, id, language }: Pick<AddressEntry, 'kind' | 'id' | 'language'>): string {
  return `${kind}/${id}/${language}`;
}
