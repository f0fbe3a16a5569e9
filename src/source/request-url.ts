/** Values of a query; what is `undefined` is left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** The address of an operation. `path` begins with a slash and is already percent-encoded; the query is not. */
export function requestUrl(baseUrl: URL, path: string, query: Query = {}): URL {
  const url = new URL(baseUrl.href.replace(/\/+$/, '') + path);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}
