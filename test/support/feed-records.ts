/** The lines of a text in which every line counts, such as JSON Lines. */
export function linesIn(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** The records of a file of a feed, one in each line. */
export function recordsIn<T>(text: string): readonly T[] {
  return linesIn(text).map((line) => JSON.parse(line) as T);
}
