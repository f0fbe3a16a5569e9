/** Limits of write requests. */
export const limits = {
  titleCharacters: 1000,
  slugCharacters: 500,
  tags: 200,
  tagCharacters: 200,
  /** Translations per record, and per write request. */
  translations: 200,
  /** Searchable characters of an article's plain text in one language; longer texts are stored completely. */
  indexedCharacters: 200_000,
};

/** Half a surrogate pair, or NUL: databases and other programs may change them. */
const illFormed = /[\p{Cs}\0]/u;

/** Path of the first string (or key) in a JSON value that contains half a surrogate pair or NUL; `null` if there is none. */
export function findIllFormedText(value: unknown): readonly PropertyKey[] | null {
  if (typeof value === 'string') return illFormed.test(value) ? [] : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inside] of Object.entries(value)) {
    const path = illFormed.test(key) ? [] : findIllFormedText(inside);
    if (path !== null) return [Array.isArray(value) ? Number(key) : key, ...path];
  }
  return null;
}

/** The JSON value with U+FFFD instead of half surrogate pairs, and without NUL. */
export function repairText<T>(value: T): T {
  const text = (string: string) => string.replaceAll(/\p{Cs}/gu, '\ufffd').replaceAll('\0', '');
  return JSON.parse(JSON.stringify(value), (_, inside) =>
    typeof inside === 'string' ? text(inside) : inside,
  );
}
