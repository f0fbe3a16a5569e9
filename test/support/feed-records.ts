/** The records of a file of a feed: the articles of a `source.json`, or the lines of another file. */
export function recordsIn<T>(text: string): readonly T[] {
  if (text.startsWith('{"schema":"lectern/source/'))
    return (JSON.parse(text) as { readonly articles: readonly T[] }).articles;
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]));
}
