/** Limits of write requests. */
export const limits = {
  titleCharacters: 1000,
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

/** An array or object inside a JSON value, and how many of its parts were read. */
interface Level {
  readonly value: object;
  /** `null` for an array, which may have millions of elements. */
  readonly keys: readonly string[] | null;
  read: number;
}

/** Path of a string (or key) in a JSON value that contains half a surrogate pair or NUL; `null` if there is none. */
export function findIllFormedText(value: unknown): readonly string[] | null {
  if (typeof value === 'string') return illFormed.test(value) ? [] : null;
  // Recursion would overflow the stack, because a client may send values as deep as it wants.
  const levels = levelOf(value);
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const { value: outer, keys } = level;
    const parts = outer as readonly unknown[] & Readonly<Record<string, unknown>>;
    const index = level.read++;
    if (index >= (keys ?? parts).length) {
      levels.pop();
      continue;
    }
    const key = keys?.[index] ?? null;
    const part = key === null ? parts[index] : parts[key];
    const isIllFormed = typeof part === 'string' && illFormed.test(part);
    if (isIllFormed || (key !== null && illFormed.test(key))) return pathTo(levels);
    levels.push(...levelOf(part));
  }
  return null;
}

function levelOf(value: unknown): Level[] {
  if (typeof value !== 'object' || value === null) return [];
  return [{ value, keys: Array.isArray(value) ? null : Object.keys(value), read: 0 }];
}

/** The keys of the parts that were read last. */
function pathTo(levels: readonly Level[]): readonly string[] {
  return levels.map(({ keys, read }) => keys?.[read - 1] ?? String(read - 1));
}
