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

/** A value inside a JSON value. */
interface Place {
  readonly value: unknown;
  readonly key: string;
  /** `null`: it is the whole. */
  readonly parent: Place | null;
}

/** Path of a string (or key) in a JSON value that contains half a surrogate pair or NUL; `null` if there is none. */
export function findIllFormedText(value: unknown): readonly string[] | null {
  // Not by recursion: a client may send values as deep as it wants.
  const pending: Place[] = [{ value, key: '', parent: null }];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { value: inside, key } = place;
    if (illFormed.test(key) || (typeof inside === 'string' && illFormed.test(inside))) return pathOf(place);
    if (typeof inside !== 'object' || inside === null) continue;
    for (const [name, part] of Object.entries(inside))
      pending.push({ value: part, key: name, parent: place });
  }
  return null;
}

function pathOf(place: Place): readonly string[] {
  const path: string[] = [];
  for (let at = place; at.parent !== null; at = at.parent) path.push(at.key);
  return path.reverse();
}

/** The JSON value with U+FFFD instead of half surrogate pairs, and without NUL. */
export function repairText<T>(value: T): T {
  const text = (string: string) => string.replaceAll(/\p{Cs}/gu, '\ufffd').replaceAll('\0', '');
  return JSON.parse(JSON.stringify(value), (_, inside) =>
    typeof inside === 'string' ? text(inside) : inside,
  );
}
