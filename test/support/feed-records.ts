/** The records of a file of a feed, one in each line. */
export function recordsIn<T>(text: string): readonly T[] {
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]));
}
