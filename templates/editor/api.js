/** The service, relative to the page, so that a proxy may add a folder. */
const base = new URL('../v1/', document.baseURI);
const keyName = 'lectern-key';

/** The key of this tab. It is never in a URL, and is forgotten with the tab. */
export const key = {
  read: () => sessionStorage.getItem(keyName),
  write: (value) => sessionStorage.setItem(keyName, value),
  forget: () => sessionStorage.removeItem(keyName),
};

/** A failed request. `message` is for the author; `code` is that of the service, or `unreachable`. */
export class RequestFailed extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const messages = {
  missing_key: 'Enter your key first.',
  invalid_key: 'The service does not know this key. Check that you copied all of it.',
  expired_key: 'This key has expired. Ask for a new one.',
  read_only_key: 'This key may only read. To save, ask for a key that may write.',
  count_only_key: 'This key is only for counting views. Ask for a key that may write.',
  not_found: 'This article does not exist any more. Somebody has deleted it.',
  body_too_large:
    'The article is too large: one language has room for 2 MB of text and images. Remove an image, or use images from a web address.',
  storage_full: 'The disk of the service is full. Tell the person who runs it.',
  database_unavailable: 'The database does not answer at the moment. Try again in a minute.',
  busy: 'The service is busy. Try again in a moment.',
  internal_error: 'The service failed. Tell the person who runs it: its log says why.',
};

function describeFailure(status, code, message, retryAfter) {
  if (code === 'rate_limited') return `Too many requests. Try again in ${retryAfter ?? 'a few'} seconds.`;
  if (messages[code] !== undefined) return messages[code];
  if (status === 413) return messages.body_too_large;
  if (status >= 500) return `The service answered ${status}. Try again in a moment.`;
  return message ?? `The service answered ${status}.`;
}

/** Sends a request. Returns the JSON and the tag of the record. Throws `RequestFailed`. */
export async function send(method, path, { body, tag, signal } = {}) {
  const headers = { authorization: `Bearer ${key.read() ?? ''}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (tag) headers['if-match'] = tag;
  let answer;
  try {
    answer = await fetch(new URL(path, base), {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: 'omit',
      cache: 'no-store',
      signal,
    });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new RequestFailed(
      'unreachable',
      'The service cannot be reached. What you have written stays in this browser. Try again in a moment.',
    );
  }
  const json = await answer.json().catch(() => null);
  if (answer.ok && json !== null) return { json, tag: answer.headers.get('etag') };
  const { code = `status_${answer.status}`, message } = json?.error ?? {};
  throw new RequestFailed(
    code,
    describeFailure(answer.status, code, message, answer.headers.get('retry-after')),
  );
}

/** What the key may do, the first language and the address of the site. */
export const readSession = async () => (await send('GET', 'editor/session')).json;

/** All articles without their texts. */
export const listArticles = async () => (await send('GET', 'article')).json.articles;

export const listCategories = async () => (await send('GET', 'category')).json.categories;

/** Ids of the articles in which the service finds a text, best first. */
export async function searchArticles(query, signal) {
  const parameters = new URLSearchParams({
    query,
    limit: '100',
    include_draft: 'true',
    include_private: 'true',
  });
  const { json } = await send('GET', `search?${parameters}`, { signal });
  return json.articles.map(({ article_id: id }) => id);
}

export async function readArticle(id) {
  const { json, tag } = await send('GET', `article/${encodeURIComponent(id)}`);
  return { record: json.article, tag };
}

/** Creates an article (`id` null) or changes one. Throws `RequestFailed` with `precondition_failed` if somebody else has changed it. */
export async function saveArticle(id, body, tag) {
  const { json, tag: next } =
    id === null
      ? await send('POST', 'article', { body })
      : await send('PATCH', `article/${encodeURIComponent(id)}`, { body, tag });
  return { record: json.article, tag: next };
}

/** The text of an article as the site publishes it. */
export const previewText = async (language, body) =>
  (await send('POST', 'editor/preview', { body: { language, body } })).json;
