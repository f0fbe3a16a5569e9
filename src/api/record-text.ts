/** Limits of a write. */
export const limits = {
  titleCharacters: 1000,
  slugCharacters: 500,
  tags: 200,
  tagCharacters: 200,
  /** Translations per record, and per write. */
  translations: 200,
  /** Characters of the plain text of an article in one language that can be searched; longer texts are stored whole. */
  indexedCharacters: 200_000,
};

/** Half a surrogate pair, or NUL: databases and other programs may change them. */
const illFormed = /[\p{Cs}\0]/u;

/** Path of the first string (or key) in a JSON value that holds half a surrogate pair or NUL; `null` without one. */
export function findIllFormedText(value: unknown): readonly PropertyKey[] | null {
  if (typeof value === 'string') return illFormed.test(value) ? [] : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inside] of Object.entries(value)) {
    const path = illFormed.test(key) ? [] : findIllFormedText(inside);
    if (path !== null) return [Array.isArray(value) ? Number(key) : key, ...path];
  }
  return null;
}

/** The same JSON value with U+FFFD for half a surrogate pair and without NUL. */
export function repairText<T>(value: T): T {
  const text = (string: string) => string.replaceAll(/\p{Cs}/gu, '\ufffd').replaceAll('\0', '');
  return JSON.parse(JSON.stringify(value), (_, inside) =>
    typeof inside === 'string' ? text(inside) : inside,
  );
}
