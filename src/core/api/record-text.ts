/** Limits of write requests. */
export const limits = {
  titleCharacters: 1000,
  /** Real tags are shorter; this one fits into an index of PostgreSQL, and into the name of a file. */
  languageCharacters: 100,
  slugCharacters: 500,
  /** Characters of one body in one language. */
  bodyCharacters: 2_000_000,
  tags: 200,
  tagCharacters: 200,
  /** Translations per record, and per write request. */
  translations: 200,
  /** Searchable characters of an article's plain text in one language; longer texts are stored completely. */
  indexedCharacters: 200_000,
};

/** Half a surrogate pair, or NUL: databases and other programs may change them. */
const illFormed = /[\p{Cs}\0]/u;

/** Path of a string (or key) in a JSON value that contains half a surrogate pair or NUL; `null` if there is none. */
export function findIllFormedText(value: unknown): readonly string[] | null {
  if (typeof value === 'string') return illFormed.test(value) ? [] : null;
  // Recursion would overflow the stack, because a client may send values as deep as it wants.
  const levels = [{ parts: partsOf(value), key: '' }];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const next = level.parts.next();
    if (next.done) {
      levels.pop();
      continue;
    }
    const [key, part] = next.value;
    level.key = String(key);
    if (illFormed.test(level.key) || (typeof part === 'string' && illFormed.test(part))) {
      return levels.map((one) => one.key);
    }
    if (typeof part === 'object') levels.push({ parts: partsOf(part), key: '' });
  }
  return null;
}

/** The keys and values of an object; those of an array one by one, because it may have millions of elements. */
function partsOf(value: unknown): Iterator<readonly [key: string | number, part: unknown]> {
  return Array.isArray(value) ? value.entries() : Object.entries(value ?? {}).values();
}
